import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'

const OFF = statement<never, { sids: readonly string[]; call_sids: readonly string[] }>(
  'leg_recordings_off',
  sql`update connect_channel l set recording_state = 'off', write_date = now() at time zone 'utc'
      from unnest(${param('call_sids')}::text[], ${param('sids')}::text[]) as ended (call_sid, sid)
      where l.sid = ended.call_sid and l.recording_control_ref = ended.sid and l.recording_state <> 'off'`,
)

/** Marks legs as not recorded any more, where the recording that ended is the one somebody started on them. */
export function markRecordingsOff(db: Transaction, ended: readonly { sid: string; callSid: string }[]): void {
  db.send(OFF, { sids: ended.map(({ sid }) => sid), call_sids: ended.map(({ callSid }) => callSid) })
}
