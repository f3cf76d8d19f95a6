import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { ID_MAX } from '../../lenient-values.ts'
import { requireAccess } from '../access/access.ts'
import type { Env } from '../access/env.ts'
import { ATTACHMENTS_MAX, attachTo } from '../attachments/attachment.ts'
import { messageList, messagePost } from '../chatter/chatter.ts'
import { saysNothing } from '../chatter/html-to-text.ts'
import { requireNoteFits } from '../chatter/note-size.ts'
import { editPost, removePost } from '../chatter/own-posts.ts'
import { withTexts } from '../chatter/posted-texts.ts'
import type { Model } from '../model/model.ts'
import { notifyMentioned } from '../notices/mentions.ts'
import { records } from '../records/records.ts'
import { type Callable, callable, Limit, requireIds } from './callable.ts'

const POSTS_DEFAULT = 100

const Body = Type.String({ minLength: 1, description: 'At most 64 kB.' })
const Id = Type.Integer({ minimum: 1, maximum: ID_MAX })
const Files = Type.Array(Id, { maxItems: ATTACHMENTS_MAX })

/** What can be called on models on whose records people write notes. */
export const CHATTER_CALLABLES: Record<string, Callable> = {
  message_post: callable(
    'Post a message',
    Type.Object({
      body: Type.Optional(Body),
      attachment_ids: Type.Optional(Files),
      message_type: Type.Optional(Type.Union([Type.Literal('comment'), Type.Literal('notification')])),
      subtype: Type.Optional(Type.Union([Type.Literal('comment'), Type.Literal('note')])),
      subtype_xmlid: Type.Optional(Type.Union([Type.Literal('mail.mt_comment'), Type.Literal('mail.mt_note')])),
    }),
    async (env, model, ids, { body = '', attachment_ids: files = [], message_type: type, subtype, ...odoo }) => {
      const id = await postedOn(env, model, ids)
      requireNoteFits(body)
      if (saysNothing(body) && files.length === 0) throw new Refusal('refused', 'post-empty')
      await notifyMentioned(env, { model: model.name, id, text: body })
      const post = await messagePost(env, {
        model: model.name,
        id,
        text: body,
        type: type ?? 'comment',
        subtype: subtype ?? (odoo.subtype_xmlid === 'mail.mt_comment' ? 'comment' : 'note'),
      })
      await attachTo(env, post, files)
      return post
    },
  ),
  message_list: callable(
    'Read the messages',
    Type.Object({ limit: Type.Optional(Limit), before: Type.Optional(Id) }),
    async (env, model, ids, { limit, before }) => {
      await records(env, model.name).read(requireIds(ids), ['id'])
      return withTexts(env, await messageList(env, model.name, ids, { limit: limit ?? POSTS_DEFAULT, before }))
    },
  ),
  message_edit: callable(
    'Change a note of one’s own',
    Type.Object({ message: Id, body: Body }),
    async (env, model, ids, { message: post, body }) => {
      requireNoteFits(body)
      if (saysNothing(body)) throw new Refusal('refused', 'post-empty')
      await editPost(env, { model: model.name, id: await postedOn(env, model, ids), post }, body)
      return true
    },
  ),
  message_delete: callable(
    'Delete a note of one’s own',
    Type.Object({ message: Id }),
    async (env, model, ids, { message: post }) => {
      await removePost(env, { model: model.name, id: await postedOn(env, model, ids), post })
      return true
    },
  ),
}

/** The one record of a call, which its caller may write to. */
async function postedOn(env: Env, model: Model, ids: number[]): Promise<number> {
  const [id, ...others] = requireIds(ids)
  if (id === undefined || others.length > 0) throw new Refusal('refused', 'message-posted-on-one-record')
  requireAccess(env.identity, model, 'write')
  await records(env, model.name).requireVisible([id], 'write')
  return id
}
