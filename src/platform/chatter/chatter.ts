import { cutToBytes } from '../../cut-to-bytes.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { cleanText } from '../../lenient-values.ts'
import { publishedTime, storedTime } from '../../time.ts'
import type { Env } from '../access/env.ts'
import { GROUP, type Identity } from '../access/identity.ts'
import { attachmentsOf } from '../attachments/attachment.ts'
import { char, datetime, html, integer, json, many2one, selection } from '../model/fields.ts'
import { defineModel } from '../model/model.ts'
import { columnsOf, insert, insertMany, type ParamsOf } from '../model/statements.ts'
import { writerOf, writtenBy } from '../model/written-by.ts'
import { notifyChanged } from '../records/notify-changed.ts'
import { displayNames } from '../records/record-read.ts'
import { htmlToText } from './html-to-text.ts'
import { NOTE_BYTES_MAX } from './note-size.ts'
import { escapeHtml, textToHtml } from './text-to-html.ts'

const MESSAGE_TYPES = {
  comment: 'comment',
  notification: 'notification',
  sms: 'SMS',
  mms: 'MMS',
  WhatsApp: 'WhatsApp',
} as const
type MessageType = keyof typeof MESSAGE_TYPES

/** Notes and messages on records. */
export const messageModel = defineModel({
  name: 'mail.message',
  label: 'Message',
  comesWithDeliveries: true,
  isAboutPeople: true,
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Message ${row.id}` },
  fields: {
    model: char('Model', { required: true, widget: 'program_name' }),
    res_id: integer('Record', { required: true, isRecordId: true }),
    body: html('Text'),
    message_type: selection('Kind', MESSAGE_TYPES, { required: true, default: 'comment' }),
    subtype: selection('Subtype', ['comment', 'note'], { default: 'note' }),
    author_id: many2one('Author', 'res.partner', { isIndexed: false, isUnchecked: true }),
    author_name: char('Written by', {
      readonly: true,
      help: 'The voice agent that wrote it.',
    }),
    date: datetime('Date', { required: true, default: (env) => publishedTime(env.now) }),
    connect_message: integer('Text message', { isRecordId: true }),
    changes: json('Changes', { readonly: true, help: 'What was changed, from what to what.' }),
    edited_at: datetime('Edited', { readonly: true }),
  },
  indexes: [{ columns: ['model', 'res_id'] }],
  // What is said on a record is as confidential as the record, so only posts on records that the whole group may read
  // are listed here; the others are read through the record itself (`message_list`).
  rules: [
    { group: GROUP.connectUser, domain: () => [['model', '=', 'res.partner']] },
    { group: GROUP.connectAdmin, domain: () => [['model', 'not like', 'helpdesk.']] },
    { group: GROUP.helpdeskUser, domain: () => [['model', '=', 'helpdesk.ticket']] },
    { group: GROUP.helpdeskManager, domain: () => [['model', '=', 'helpdesk.ticket']] },
  ],
})

export interface Post {
  model: string
  id: number
  /** Text as people or agents wrote it; it is escaped here, so markup in it is shown, not obeyed. */
  text: string
  type?: MessageType
  subtype?: 'comment' | 'note'
  authorId?: number | undefined
  /** The voice agent that says it, where that is not the one of the environment. */
  authorName?: string | undefined
  /** Web addresses shown below the text; the caller has checked that they are http or https. */
  links?: readonly string[]
  /** The text message that the post tells of. */
  connectMessage?: number
  /** What was changed, where the post says that. */
  changes?: readonly object[]
}

const POST = {
  columns: [
    ...(['model', 'res_id', 'body', 'message_type', 'subtype', 'author_id', 'author_name'] as const),
    ...(['date', 'connect_message', 'changes', 'create_uid'] as const),
  ],
  returning: ['id'],
} as const

const INSERT = insert(messageModel, { name: 'chatter_insert', ...POST })
const SEND_MANY = insertMany(messageModel, { name: 'chatter_send_many', columns: POST.columns })
const INSERT_MANY = insertMany(messageModel, { name: 'chatter_insert_many', ...POST })

/** For a statement of another room: posts each row of `from`, with this for each column; gives the `id` of each post. */
export function insertEachPostSql(from: SQL, values: Readonly<Record<(typeof POST.columns)[number], SQL>>): SQL {
  const listed = POST.columns.map((column) => values[column])
  const given = sql.join(listed, sql`, `)
  return sql`insert into mail_message (${columnsOf(messageModel, POST.columns)}, write_uid) select ${given}, ${values.create_uid} from ${from} returning id`
}

/** Posts on a record and answers the id of the post. The caller has checked that the record may be posted on. */
export async function messagePost(env: Env, post: Post): Promise<number> {
  const rows = await env.db.run(INSERT, postParams(env, post))
  const id = rows[0]?.id ?? 0
  await notifyChanged(env, messageModel.name, [id])
  // Posts are read through their record, by people who may not list them.
  await notifyChanged(env, post.model, [post.id])
  return id
}

/** Posts many at once and tells nobody; the ids, in their order. */
export async function addPosts(env: Env, posts: readonly Post[]): Promise<number[]> {
  // In a list of rows the changes are a value, not its text.
  const given = posts.map((post) => ({ ...postParams(env, post), changes: post.changes ?? null }))
  const rows = await env.db.run(INSERT_MANY, { rows: given })
  return rows.map(({ id }) => id)
}

/** Posts many with what else the transaction sends, and tells nobody: the record that they are on changes by itself. */
export function sendPosts(env: Env, posts: readonly Post[]): void {
  env.db.send(SEND_MANY, {
    rows: posts.map((post) => ({ ...postParams(env, post), changes: post.changes ?? null })),
  })
}

/** Posts many at once, in their order. */
export async function messagePosts(env: Env, posts: readonly Post[]): Promise<void> {
  if (posts.length === 0) return
  await notifyChanged(env, messageModel.name, await addPosts(env, posts))
  for (const [model, ofModel] of Map.groupBy(posts, (post) => post.model)) {
    await notifyChanged(env, model, [...new Set(ofModel.map(({ id }) => id))])
  }
}

type PostParams = ParamsOf<typeof messageModel, (typeof POST.columns)[number]>

/** The columns of a post. */
export function postParams(env: Env, post: Post): PostParams {
  const { model, id, text, type, subtype, authorId, authorName, links = [], connectMessage, changes } = post
  return {
    model,
    res_id: id,
    body: textToHtml(noteOf(text)) + links.map(linkParagraph).join(''),
    message_type: type ?? 'comment',
    subtype: subtype ?? 'comment',
    author_id: authorId ?? env.identity.partnerId ?? null,
    author_name: authorId === undefined ? (authorName ?? env.identity.agent ?? null) : null,
    date: storedTime(env.now),
    connect_message: connectMessage ?? null,
    changes: changes === undefined ? null : JSON.stringify(changes),
    create_uid: writerOf(env),
  }
}

/** Changes the text of a post and the record that it is on; false when somebody has removed it. */
export async function changePost(
  env: Env,
  id: number,
  { id: record, text }: Pick<Post, 'id' | 'text'>,
): Promise<boolean> {
  const changed = await env.db.query(
    sql`update mail_message set body = ${textToHtml(noteOf(text))}, res_id = ${record}::bigint, ${writtenBy(writerOf(env))}
        where id = ${id}::bigint returning id`,
  )
  return changed.length > 0
}

/** What the service writes down of a longer text, such as a summary: its beginning. Of people it refuses one. */
function noteOf(text: string): string {
  return cutToBytes(cleanText(text), NOTE_BYTES_MAX)
}

/** Moves all posts of one record to another of the same model. */
export async function movePosts(
  env: Env,
  model: string,
  { from, into }: { from: number; into: number },
): Promise<void> {
  await env.db.query(
    sql`update mail_message set res_id = ${into}::bigint, ${writtenBy(writerOf(env))}
        where model = ${model} and res_id = ${from}::bigint`,
  )
}

export async function deletePosts(env: Env, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await env.db.query(sql`delete from mail_message where id in (${idList(ids)})`)
}

/** A link as posts have them. */
export function linkParagraph(url: string): string {
  const address = escapeHtml(url)
  return `<p><a href="${address}" rel="noopener noreferrer" target="_blank">${address}</a></p>`
}

/** Whether a post is a note that this person wrote by hand: theirs to change and to take back. */
export function ownPost({ userId, partnerId }: Identity): SQL {
  return sql`(create_uid = ${userId}::bigint and author_id = ${partnerId ?? 0}::bigint and message_type = 'comment'
    and connect_message is null and changes is null)`
}

interface ListedPost {
  id: number
  body: string | null
  message_type: string
  subtype: string | null
  author: number | null
  author_name: string | null
  changes: unknown
  connect_message: number | null
}

/** The posts on records, newest first, older ones than `before`. The caller has checked that the records may be read. */
export async function messageList(
  env: Env,
  model: string,
  ids: readonly number[],
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<Pick<ListedPost, 'message_type' | 'connect_message'>[]> {
  const older = before === undefined ? sql`` : sql`and id < ${before}::bigint`
  const posts = await env.db.query<ListedPost>(
    sql`select id, res_id, body, message_type, subtype, author_id as author, author_name, connect_message, changes,
          ${ownPost(env.identity)} as is_mine, to_char(date, 'YYYY-MM-DD HH24:MI:SS') as date,
          to_char(edited_at, 'YYYY-MM-DD HH24:MI:SS') as edited_at
        from mail_message where model = ${model} and res_id in (${idList(ids)}) ${older}
        order by id desc limit ${limit}::int`,
  )
  const authors = posts.map(({ author }) => author).filter((author) => author !== null)
  const names = await displayNames(env, env.platform.models.get('res.partner'), authors)
  const files = await attachmentsOf(
    env,
    posts.map(({ id }) => id),
  )
  return posts.map(({ author_name: agent, ...post }) => ({
    ...post,
    author: agent ?? names.get(post.author ?? 0) ?? null,
    author_id: post.author,
    kind: kindOf(post),
    text: htmlToText(post.body ?? ''),
    attachments: files.get(post.id) ?? [],
  }))
}

/** What a post is to the person who reads it: a change of fields, a note, something the service noticed, or a message. */
function kindOf({
  changes,
  message_type: type,
  subtype,
}: Pick<ListedPost, 'changes' | 'message_type' | 'subtype'>): 'change' | 'note' | 'event' | 'message' {
  if (changes !== null) return 'change'
  if (type === 'notification') return 'event'
  return type === 'comment' && subtype === 'note' ? 'note' : 'message'
}
