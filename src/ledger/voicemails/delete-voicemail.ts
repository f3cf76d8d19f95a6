import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { idList } from '../../platform/records/records.ts'
import { enqueueMediaRemoval } from '../recordings/media-removal.ts'

/** Deletes the voicemails of calls, their audio with them, once the transaction commits; answers how many there were. */
export async function deleteVoicemails(env: Env, calls: readonly number[]): Promise<number> {
  if (calls.length === 0) return 0
  const deleted = await env.db.query(
    sql`delete from connect_voicemail v using connect_channel l
        where l.sid = v.call_sid and l.call in (${idList(calls)}) returning v.id`,
  )
  if (deleted.length > 0) await enqueueMediaRemoval(env)
  return deleted.length
}

/** Deletes the voicemails of calls that stay themselves. */
export async function clearVoicemails(env: Env, calls: readonly number[]): Promise<number> {
  const deleted = await deleteVoicemails(env, calls)
  if (calls.length === 0) return deleted
  await env.db.query(
    sql`update connect_call set voicemail_url = null, voicemail_duration = null, write_date = now() at time zone 'utc'
        where id in (${idList(calls)})`,
  )
  await env.db.notify('connect_records', JSON.stringify({ model: 'connect.call', ids: calls.slice(0, 100) }))
  return deleted
}
