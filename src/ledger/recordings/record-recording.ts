import { sql } from '../../database/drizzle.ts'
import { idOf } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { lockCalls } from '../calls/lock-ledger.ts'
import type { ProviderForm } from '../legs/provider-form.ts'
import { markRecordingsOff } from '../legs/recording-state.ts'
import { linkRecordings } from './link-recordings.ts'
import { RECORDING_STATUSES, type RecordingReport, readRecordingReport } from './recording-report.ts'

/** The job that asks the provider for what a callback does not say. */
export const RECORDING_DETAILS_JOB = 'recording-details'

const RANKS = sql.raw(`array[${RECORDING_STATUSES.map((status) => `'${status}'`).join(', ')}]`)
const IS_FURTHER = sql`array_position(${RANKS}, excluded.status)
  > coalesce(array_position(${RANKS}, connect_recording.status), 0)`

// A repeat changes nothing and so gives no row.
const UPSERT = statement<{ id: number; status: string }, Record<string, unknown>>(
  'recording_upsert',
  sql`insert into connect_recording (id, sid, call_sid, status, media_url, duration, source, start_time,
        transcription_pending, create_uid)
      values (${idOf('connect_recording', sql`present.sid = ${param('sid')}`)}, ${param('sid')}, ${param('call_sid')}, ${param('status')}, ${param('url')}, ${param('seconds')}::int,
        ${param('source')}, ${param('start_time')}::timestamp, ${param('is_transcribed')}::bool,
        ${param('create_uid')}::bigint)
      on conflict (sid) do update set
        status = case when ${IS_FURTHER} then excluded.status else connect_recording.status end,
        transcription_pending = case when ${IS_FURTHER} then excluded.transcription_pending
          else connect_recording.transcription_pending end,
        call_sid = coalesce(connect_recording.call_sid, excluded.call_sid),
        media_url = coalesce(connect_recording.media_url, excluded.media_url),
        duration = greatest(connect_recording.duration, excluded.duration),
        source = coalesce(connect_recording.source, excluded.source),
        start_time = coalesce(connect_recording.start_time, excluded.start_time),
        write_date = now() at time zone 'utc'
      where ${IS_FURTHER}
        or (connect_recording.call_sid is null and excluded.call_sid is not null)
        or (connect_recording.media_url is null and excluded.media_url is not null)
        or excluded.duration > coalesce(connect_recording.duration, 0)
        or (connect_recording.source is null and excluded.source is not null)
        or (connect_recording.start_time is null and excluded.start_time is not null)
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
    const row = await upsertRecording(env, report)
    if (row !== undefined) saved.set(row.id, row.status)
  }
  await linkRecordings(env, callSids)
  const ended = ofCalls.filter(({ status }) => status !== 'in-progress')
  if (ended.length > 0) markRecordingsOff(env.db, ended)
  if (saved.size === 0) return
  await env.db.notify('connect_records', JSON.stringify({ model: 'connect.recording', ids: [...saved.keys()] }))
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

async function upsertRecording(env: Env, report: RecordingReport): Promise<{ id: number; status: string } | undefined> {
  const rows = await env.db.run(UPSERT, {
    sid: report.sid,
    call_sid: report.callSid === '' ? null : report.callSid,
    status: report.status,
    url: report.url,
    seconds: report.seconds ?? 0,
    source: report.source,
    start_time: report.startTime,
    is_transcribed: report.status === 'completed' && env.settings.transcribesCalls,
    create_uid: env.identity.userId,
  })
  return rows[0]
}
