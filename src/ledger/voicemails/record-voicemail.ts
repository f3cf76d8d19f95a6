import { hash } from 'node:crypto'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { insert } from '../../platform/model/statements.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { lockCalls } from '../calls/lock-ledger.ts'
import { type ProviderForm, readCount, readSid } from '../legs/provider-form.ts'
import { linkRecordings } from '../recordings/link-recordings.ts'
import { readRecordingReport } from '../recordings/recording-report.ts'
import { voicemailModel } from './voicemail.ts'

/** The job that copies the audio of a voicemail into our own store. */
export const VOICEMAIL_DOWNLOAD_JOB = 'voicemail-download'

const INSERT = insert(voicemailModel, {
  name: 'voicemail_insert',
  columns: ['sid', 'call_sid', 'url', 'duration', 'start_time', 'create_uid'],
  once: 'sid',
  returning: ['id'],
})

// The first report may not have said how long it is.
const LENGTHEN = statement<never, { sid: string; duration: number; start_time: string | null; writer: number | null }>(
  'voicemail_lengthen',
  sql`update connect_voicemail set duration = greatest(duration, ${param('duration')}::int),
        start_time = coalesce(start_time, ${param('start_time')}::timestamp), ${writtenBy(param('writer'))}
      where sid = ${param('sid')} and (duration < ${param('duration')}::int
        or start_time is null and ${param('start_time')}::timestamp is not null)`,
)

/**
 * Records each voicemail once and shows it on its call, as soon as that is known; until then no call is touched. A callback
 * without audio (still recording, of 0 seconds, absent, failed) says nothing of interest.
 */
export async function recordVoicemails(env: Env, requests: readonly Pick<ProviderForm, 'form'>[]): Promise<void> {
  const voicemails = requests.map(readVoicemail).filter((each) => each !== undefined)
  if (voicemails.length === 0) return
  const callSids = [...new Set(voicemails.map((each) => each.call_sid))].sort()
  lockCalls(env.db, callSids)
  const inserted: { id: number }[] = []
  for (const each of voicemails) {
    const rows = await env.db.run(INSERT, { ...each, create_uid: env.identity.userId })
    if (rows.length === 0)
      env.db.send(LENGTHEN, {
        ...{ sid: each.sid, duration: each.duration, start_time: each.start_time, writer: writerOf(env) },
      })
    inserted.push(...rows)
  }
  await linkRecordings(env, callSids)
  if (!env.settings.storesRecordings) return
  for (const { id: voicemailId } of inserted) {
    await env.platform.enqueue(env.db, { name: VOICEMAIL_DOWNLOAD_JOB, payload: { voicemailId } })
  }
}

/** The columns of the voicemail that a report is about. */
function readVoicemail({ form }: Pick<ProviderForm, 'form'>) {
  const report = readRecordingReport({ form: { ...form, RecordingSid: form.RecordingSid || form.CallSid || '' } })
  // Of no length it is none: the caller hung up at the beep.
  const isEmpty = readCount(form.RecordingDuration) === 0
  if (report === undefined || report.callSid === '' || report.url === null || isEmpty) return undefined
  const { callSid, url, seconds = 0, startTime } = report
  // One reported without a sid gets an id of our own, so that another one of the same call is another one.
  const sid = readSid(form.RecordingSid) || hash('sha256', url)
  return { sid, call_sid: callSid, url, duration: seconds, start_time: startTime }
}
