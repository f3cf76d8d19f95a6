import { sql } from '../../database/drizzle.ts'
import { statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { type GivenRows, givenRows } from '../../platform/model/given-rows.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { lockRecordings } from '../calls/lock-ledger.ts'
import type { ProviderForm } from '../legs/provider-form.ts'
import { markRecordingsOff } from '../legs/recording-state.ts'
import { linkConferences, linkRecordings } from './link-recordings.ts'
import { recordingModel } from './recording.ts'
import { RECORDING_STATUSES, type RecordingReport, readRecordingReport } from './recording-report.ts'

/** The job that asks the provider for what a callback does not say. */
export const RECORDING_DETAILS_JOB = 'recording-details'

const RANKS = sql.raw(`array[${RECORDING_STATUSES.map((status) => `'${status}'`).join(', ')}]`)
const IS_FURTHER = sql`array_position(${RANKS}, g.status) > coalesce(array_position(${RANKS}, r.status), 0)`
/** What the first report that has it says of a recording. */
const FIRST_SAID = ['call_sid', 'conference_sid', 'media_url', 'source', 'start_time'].map((name) => {
  const [said, known] = [sql.raw(`g.${name}`), sql.raw(`r.${name}`)]
  return {
    set: sql`${sql.raw(name)} = coalesce(${known}, ${said})`,
    isNew: sql`(${known} is null and ${said} is not null)`,
  }
})

const REPORTED = [
  ...(['sid', 'call_sid', 'status', 'media_url', 'duration', 'source', 'start_time'] as const),
  ...(['conference_sid', 'transcription_pending', 'create_uid'] as const),
] as const
type Columns = RowOf<typeof recordingModel, (typeof REPORTED)[number]>

// Under the locks on their recordings, so no index needs to tell whether one is there. A repeat changes nothing and so gives no row.
const SAVE = statement<{ id: number; status: string }, GivenRows>(
  'recordings_save',
  sql`with given as materialized (select * from ${givenRows(recordingModel, REPORTED)}),
      known as (select r.sid from given g cross join lateral (
        select sid from connect_recording each where each.sid = g.sid limit 1) r),
      changed as (update connect_recording r set
        status = case when ${IS_FURTHER} then g.status else r.status end,
        transcription_pending = case when ${IS_FURTHER} then g.transcription_pending else r.transcription_pending end,
        duration = greatest(r.duration, g.duration),
        ${sql.join(
          FIRST_SAID.map(({ set }) => set),
          sql`, `,
        )}, ${writtenBy(sql`g.create_uid`)}
        from given g where r.sid = g.sid and (${IS_FURTHER} or g.duration > coalesce(r.duration, 0)
          or ${sql.join(
            FIRST_SAID.map(({ isNew }) => isNew),
            sql` or `,
          )})
        returning r.id, r.status),
      added as (insert into connect_recording (${columnsOf(recordingModel, REPORTED)}, write_uid)
        select ${columnsOf(recordingModel, REPORTED, 'g')}, g.create_uid from given g where g.sid not in (select sid from known)
        returning id, status)
      select id, status from changed union all select id, status from added`,
)

/** Records what callbacks say of recordings, whatever their order and number, and has the details of finished ones fetched. */
export async function recordRecordings(env: Env, requests: readonly Pick<ProviderForm, 'form'>[]): Promise<void> {
  const reports = requests.map((request) => readReport(env, request)).filter((report) => report !== undefined)
  if (reports.length === 0) return
  const ofCalls = reports.filter(({ callSid }) => callSid !== '')
  // A leg that is being recorded at this moment either sees this recording or is seen by it.
  lockRecordings(env.db, reports)
  const saved = await save(env, reports)
  await linkRecordings(env, [...new Set(ofCalls.map(({ callSid }) => callSid))].sort())
  await linkConferences(
    env,
    reports.flatMap(({ conferenceSid }) => (conferenceSid === '' ? [] : [conferenceSid])),
  )
  const ended = ofCalls.filter(({ status }) => status !== 'in-progress')
  if (ended.length > 0) markRecordingsOff(env, ended)
  if (saved.size === 0) return
  await notifyChanged(env, 'connect.recording', [...saved.keys()])
  for (const [id, status] of saved) {
    if (status !== 'completed') continue
    await env.platform.enqueue(env.db, { name: RECORDING_DETAILS_JOB, payload: { recordingId: id } })
  }
}

/** The status that each changed recording has now, by its id. What is said of one that something was said of before comes later. */
async function save(env: Env, reports: readonly RecordingReport[]): Promise<Map<number, string>> {
  const saved = new Map<number, string>()
  let waiting = reports
  while (waiting.length > 0) {
    const now = new Map(waiting.toReversed().map((report) => [report.sid, report]))
    const rows = [...now.values()].map((report) => rowOf(env, report))
    for (const { id, status } of await env.db.run(SAVE, { rows })) saved.set(id, status)
    waiting = waiting.filter((report) => now.get(report.sid) !== report)
  }
  return saved
}

function readReport(env: Env, request: Pick<ProviderForm, 'form'>): RecordingReport | undefined {
  const report = readRecordingReport(request)
  if (report === undefined) {
    env.platform.log.warn({ callSid: request.form.CallSid }, 'a recording callback that names no recording was ignored')
  }
  return report
}

function rowOf({ identity, settings }: Env, report: RecordingReport): Columns {
  return {
    sid: report.sid,
    call_sid: report.callSid === '' ? null : report.callSid,
    conference_sid: report.conferenceSid === '' ? null : report.conferenceSid,
    status: report.status,
    media_url: report.url,
    duration: report.seconds ?? 0,
    source: report.source,
    start_time: report.startTime,
    transcription_pending: report.status === 'completed' && settings.transcribesCalls,
    create_uid: identity.userId,
  }
}
