import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { clearVoicemailOfCalls } from '../calls/call-updates.ts'
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
  await clearVoicemailOfCalls(env.db, calls)
  return deleted
}
