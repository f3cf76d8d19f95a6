import { sql } from '../../database/drizzle.ts'
import { limitOfRows } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env, ReadEnv } from '../../platform/access/env.ts'
import { type Writing, writerOf, writtenBy } from '../../platform/model/written-by.ts'

import { notifyChangedSql } from '../../platform/records/notify-changed.ts'

/** What the recording of a leg is found to be; `ref` is the recording that runs. */
interface FoundRecordingState {
  id: number
  state: 'on' | 'off' | 'error'
  ref: string | null
  error?: string
}

/** A start or stop that has not come to an end by then never will: its process died. */
const TURN_SECONDS = 30

/** Open pages show whether a leg is being recorded. */
const NOTIFY_LEG = notifyChangedSql('connect.channel', sql`id`, sql`call`)

interface Writer {
  writer: number | null
}

// One start or stop at a time: two people who press at once must not make two recordings.
const BEGIN = statement<{ id: number }, Writer & { id: number; state: string }>(
  'recording_control_begin',
  sql`update connect_channel set recording_state = ${param('state')}, recording_control_error = null,
        ${writtenBy(param('writer'))}
      where id = ${param('id')} and (coalesce(recording_state, 'off') not in ('starting', 'stopping')
        or write_date < (now() at time zone 'utc') - make_interval(secs => ${sql.raw(String(TURN_SECONDS))}))
      returning id, ${NOTIFY_LEG}`,
)
// A process that only looks takes nobody's turn away.
const REFRESH = statement<never, Writer & { id: number; state: string; ref: string | null }>(
  'recording_control_refresh',
  sql`update connect_channel set recording_state = ${param('state')},
        recording_control_ref = coalesce(${param('ref')}::text, recording_control_ref), ${writtenBy(param('writer'))}
      where id = ${param('id')} and coalesce(recording_state, 'off') not in ('starting', 'stopping', ${param('state')})
      returning ${NOTIFY_LEG}`,
)
const SET = statement<never, Writer & { id: number; state: string; ref: string | null; error: string | null }>(
  'recording_control_set',
  sql`update connect_channel set recording_state = ${param('state')}, recording_control_error = ${param('error')},
        recording_control_ref = coalesce(${param('ref')}::text, recording_control_ref),
        ${writtenBy(param('writer'))} where id = ${param('id')}
      returning ${NOTIFY_LEG}`,
)
const OFF = statement<never, Writer & { sids: readonly string[]; call_sids: readonly string[] }>(
  'leg_recordings_off',
  sql`update connect_channel l set recording_state = 'off', ${writtenBy(param('writer'))}
      from (select * from unnest(${param('call_sids')}::text[], ${param('sids')}::text[]) as each (call_sid, sid)
        ${limitOfRows()}) as ended
      where l.sid = ended.call_sid and l.recording_control_ref = ended.sid and l.recording_state <> 'off'
      returning ${notifyChangedSql('connect.channel', sql`l.id`, sql`l.call`)}`,
)

/** Begins a start or a stop on a leg; false while somebody else's is under way. */
export async function beginRecordingTurn(
  env: Pick<ReadEnv, 'db'> & Writing,
  id: number,
  state: 'starting' | 'stopping',
): Promise<boolean> {
  return (await env.db.run(BEGIN, { id, state, writer: writerOf(env) })).length > 0
}

/** Saves how a start or a stop ended. */
export async function setRecordingState(env: Pick<ReadEnv, 'db'> & Writing, found: FoundRecordingState): Promise<void> {
  const { id, state, ref, error } = found
  await env.db.run(SET, { id, state, ref, error: error ?? null, writer: writerOf(env) })
}

/** Saves what somebody saw who only looked: nothing while a start or a stop is under way. */
export async function refreshRecordingState(
  env: Pick<ReadEnv, 'db'> & Writing,
  { id, state, ref }: FoundRecordingState,
): Promise<void> {
  await env.db.run(REFRESH, { id, state, ref, writer: writerOf(env) })
}

/** Marks legs as not recorded any more, where the recording that ended is the one somebody started on them. */
export function markRecordingsOff(env: Env, ended: readonly { sid: string; callSid: string }[]): void {
  const [sids, callSids] = [ended.map(({ sid }) => sid), ended.map(({ callSid }) => callSid)]
  env.db.send(OFF, { sids, call_sids: callSids, writer: writerOf(env) })
}
