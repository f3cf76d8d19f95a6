import { sql } from '../../database/drizzle.ts'
import { idOf } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { lockCalls } from '../calls/lock-ledger.ts'
import type { ProviderForm } from '../legs/provider-form.ts'
import { markRecordingsOff } from '../legs/recording-state.ts'
import { linkRecordings } from './link-recordings.ts'
import type { recordingModel } from './recording.ts'
import { RECORDING_STATUSES, type RecordingReport, readRecordingReport } from './recording-report.ts'

/** The job that asks the provider for what a callback does not say. */
export const RECORDING_DETAILS_JOB = 'recording-details'

const RANKS = sql.raw(`array[${RECORDING_STATUSES.map((status) => `'${status}'`).join(', ')}]`)
const IS_FURTHER = sql`array_position(${RANKS}, excluded.status)
  > coalesce(array_position(${RANKS}, connect_recording.status), 0)`
/** What the first report that has it says of a recording. */
const FIRST_SAID = ['call_sid', 'media_url', 'source', 'start_time'].map((name) => {
  const [said, known] = [sql.raw(`excluded.${name}`), sql.raw(`connect_recording.${name}`)]
  return {
    set: sql`${sql.raw(name)} = coalesce(${known}, ${said})`,
    isNew: sql`(${known} is null and ${said} is not null)`,
  }
})

type Reported = 'sid' | 'call_sid' | 'status' | 'media_url' | 'duration' | 'source' | 'start_time'
type Columns = RowOf<typeof recordingModel, Reported | 'transcription_pending' | 'create_uid'>

// A repeat changes nothing and so gives no row.
const UPSERT = statement<{ id: number; status: string }, Columns>(
  'recording_upsert',
  sql`insert into connect_recording (id, sid, call_sid, status, media_url, duration, source, start_time,
        transcription_pending, create_uid)
      values (${idOf('connect_recording', sql`present.sid = ${param('sid')}`)}, ${param('sid')}, ${param('call_sid')},
        ${param('status')}, ${param('media_url')}, ${param('duration')}::int, ${param('source')},
        ${param('start_time')}::timestamp, ${param('transcription_pending')}::bool, ${param('create_uid')}::bigint)
      on conflict (sid) do update set
        status = case when ${IS_FURTHER} then excluded.status else connect_recording.status end,
        transcription_pending = case when ${IS_FURTHER} then excluded.transcription_pending
          else connect_recording.transcription_pending end,
        duration = greatest(connect_recording.duration, excluded.duration),
        ${sql.join(
          FIRST_SAID.map(({ set }) => set),
          sql`, `,
        )}, write_date = now() at time zone 'utc'
      where ${IS_FURTHER} or excluded.duration > coalesce(connect_recording.duration, 0)
        or ${sql.join(
          FIRST_SAID.map(({ isNew }) => isNew),
          sql` or `,
        )}
      returning id, status`,
)

/** Records what callbacks say of recordings, whatever their order and number, and has the details of finished ones fetched. */
export async function recordRecordings(env: Env, requests: readonly Pick<ProviderForm, 'form'>[]): Promise<void> {
  const reports = requests.map((request) => readReport(env, request)).filter((report) => report !== undefined)
  if (reports.length === 0) return
  const ofCalls = reports.filter(({ callSid }) => callSid !== '')
  const callSids = [...new Set(ofCalls.map(({ callSid }) => callSid))].sort()
  // A leg that is being recorded at this moment either sees this recording or is seen by it.
  lockCalls(env.db, callSids)
  const saved = new Map<number, string>()
  for (const report of reports) {
    for (const { id, status } of await env.db.run(UPSERT, columnsOf(env, report))) saved.set(id, status)
  }
  await linkRecordings(env, callSids)
  const ended = ofCalls.filter(({ status }) => status !== 'in-progress')
  if (ended.length > 0) markRecordingsOff(env.db, ended)
  if (saved.size === 0) return
  await notifyChanged(env, 'connect.recording', [...saved.keys()])
  for (const [id, status] of saved) {
    if (status !== 'completed') continue
    await env.platform.enqueue(env.db, { name: RECORDING_DETAILS_JOB, payload: { recordingId: id } })
  }
}

function readReport(env: Env, request: Pick<ProviderForm, 'form'>): RecordingReport | undefined {
  const report = readRecordingReport(request)
  if (report === undefined) {
    env.platform.log.warn({ callSid: request.form.CallSid }, 'a recording callback that names no recording was ignored')
  }
  return report
}

function columnsOf({ identity, settings }: Env, report: RecordingReport): Columns {
  return {
    sid: report.sid,
    call_sid: report.callSid === '' ? null : report.callSid,
    status: report.status,
    media_url: report.url,
    duration: report.seconds ?? 0,
    source: report.source,
    start_time: report.startTime,
    transcription_pending: report.status === 'completed' && settings.transcribesCalls,
    create_uid: identity.userId,
  }
}
