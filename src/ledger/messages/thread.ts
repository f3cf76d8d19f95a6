import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/env.ts'
import type { IncomingMessage } from './incoming-message.ts'
import { findMessageBySid, findNewestMessage, type Thread } from './message-rows.ts'

/** The conversation that a message continues, and the message it answers; each is undefined where there is none. */
export async function findThread(
  env: Env,
  { from, to, repliedSid }: Pick<IncomingMessage, 'from' | 'to' | 'repliedSid'>,
): Promise<{ thread: Thread | undefined; parentId: number | undefined }> {
  const replied = repliedSid === '' ? undefined : await findMessageBySid(env.db, repliedSid)
  if (replied?.thread !== undefined && (await exists(env, replied.thread))) {
    return { thread: replied.thread, parentId: replied.id }
  }
  const newest = await findNewestMessage(env.db, { from: to, to: from })
  const thread = newest?.thread !== undefined && (await exists(env, newest.thread)) ? newest.thread : undefined
  return { thread, parentId: replied?.id }
}

/** Whether the record is there and can be written on. */
export async function exists(env: Env, { model, id }: Thread): Promise<boolean> {
  const { models } = env.platform
  if (!models.has(model) || models.get(model).hasChatter !== true) return false
  const rows = await env.db.query(sql`select 1 from ${sql.identifier(models.get(model).table)} where id = ${id}::int`)
  return rows.length > 0
}
