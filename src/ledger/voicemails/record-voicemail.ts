import { createHash } from 'node:crypto'
import type { Env } from '../../platform/access/env.ts'
import { insert } from '../../platform/model/statements.ts'
import { lockCalls } from '../calls/lock-ledger.ts'
import { type ProviderForm, readSid } from '../legs/provider-form.ts'
import { linkRecordings } from '../recordings/link-recordings.ts'
import { type RecordingReport, readRecordingReport } from '../recordings/recording-report.ts'
import { voicemailModel } from './voicemail.ts'

/** The job that copies the audio of a voicemail into our own store. */
export const VOICEMAIL_DOWNLOAD_JOB = 'voicemail-download'

const INSERT = insert(voicemailModel, {
  name: 'voicemail_insert',
  columns: ['sid', 'call_sid', 'url', 'duration', 'start_time', 'create_uid'],
  once: 'sid',
  returning: ['id'],
})

/** A report of audio: what it says, and the id it is stored under. */
interface VoicemailReport {
  sid: string
  url: string
  report: RecordingReport
}

/**
 * Records each voicemail once and shows it on its call, as soon as that is known; until then no call is touched. A callback
 * without audio (still recording, nobody spoke, failed) says nothing of interest.
 */
export async function recordVoicemails(env: Env, requests: readonly Pick<ProviderForm, 'form'>[]): Promise<void> {
  const reports = requests.map(readVoicemail).filter((each) => each !== undefined)
  if (reports.length === 0) return
  const callSids = [...new Set(reports.map(({ report }) => report.callSid))].sort()
  lockCalls(env.db, callSids)
  const inserted: number[] = []
  for (const each of reports) inserted.push(...(await insertVoicemail(env, each)))
  await linkRecordings(env, callSids)
  if (!env.settings.storesRecordings) return
  for (const voicemailId of inserted) {
    await env.platform.enqueue(env.db, { name: VOICEMAIL_DOWNLOAD_JOB, payload: { voicemailId } })
  }
}

function readVoicemail({ form }: Pick<ProviderForm, 'form'>): VoicemailReport | undefined {
  const report = readRecordingReport({ form: { ...form, RecordingSid: form.RecordingSid || form.CallSid || '' } })
  if (report === undefined || report.callSid === '' || report.url === null) return undefined
  return { sid: readSid(form.RecordingSid) || sidOfAddress(report.url), url: report.url, report }
}

/** The id of its row; none when it is stored already. */
async function insertVoicemail(env: Env, { sid, url, report }: VoicemailReport): Promise<number[]> {
  const rows = await env.db.run(INSERT, {
    sid,
    call_sid: report.callSid,
    url,
    duration: report.seconds ?? 0,
    start_time: report.startTime,
    create_uid: env.identity.userId,
  })
  return rows.map(({ id }) => id)
}

/** A stand-in id for a voicemail reported without a sid, so that another one of the same call is another one. */
function sidOfAddress(url: string): string {
  return createHash('sha256').update(url).digest('hex')
}
