import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { cleanText } from '../../lenient-values.ts'
import { storedTime } from '../../time.ts'
import type { Env } from '../access/env.ts'
import { writerOf, writtenBy } from '../model/written-by.ts'
import { notifyChanged, notifyGone } from '../records/notify-changed.ts'
import { messageModel, ownPost } from './chatter.ts'
import { textToHtml } from './text-to-html.ts'

interface Place {
  model: string
  id: number
  post: number
}

/** Changes the text of a note that one wrote oneself. The caller has checked that the record may be posted on. */
export async function editPost(env: Env, { model, id, post }: Place, text: string): Promise<void> {
  const changed = await env.db.query(
    sql`update mail_message set body = ${textToHtml(cleanText(text))}, edited_at = ${storedTime(env.now)}::timestamp,
          ${writtenBy(writerOf(env))}
        where id = ${post}::bigint and model = ${model} and res_id = ${id}::bigint and ${ownPost(env.identity)}
        returning id`,
  )
  requireOwn(changed)
  await notifyChanged(env, messageModel.name, [post])
  await notifyChanged(env, model, [id])
}

/** Removes a note that one wrote oneself. */
export async function removePost(env: Env, { model, id, post }: Place): Promise<void> {
  const gone = await env.db.query(
    sql`delete from mail_message
        where id = ${post}::bigint and model = ${model} and res_id = ${id}::bigint and ${ownPost(env.identity)}
        returning id`,
  )
  requireOwn(gone)
  await notifyGone(env, messageModel.name, [post])
  await notifyChanged(env, model, [id])
}

/** To the person who asks it is the same whether there is no such note or it is somebody else's. */
function requireOwn(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new Refusal('not-found', 'no-note-not-one-yours')
}
