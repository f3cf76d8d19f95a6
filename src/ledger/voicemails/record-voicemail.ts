import { hash } from 'node:crypto'
import type { Env } from '../../platform/access/env.ts'
import { insert } from '../../platform/model/statements.ts'
import { lockCalls } from '../calls/lock-ledger.ts'
import { type ProviderForm, readSid } from '../legs/provider-form.ts'
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

/**
 * Records each voicemail once and shows it on its call, as soon as that is known; until then no call is touched. A callback
 * without audio (still recording, nobody spoke, failed) says nothing of interest.
 */
export async function recordVoicemails(env: Env, requests: readonly Pick<ProviderForm, 'form'>[]): Promise<void> {
  const voicemails = requests.map(readVoicemail).filter((each) => each !== undefined)
  if (voicemails.length === 0) return
  const callSids = [...new Set(voicemails.map((each) => each.call_sid))].sort()
  lockCalls(env.db, callSids)
  const inserted: { id: number }[] = []
  for (const each of voicemails) {
    inserted.push(...(await env.db.run(INSERT, { ...each, create_uid: env.identity.userId })))
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
  if (report === undefined || report.callSid === '' || report.url === null) return undefined
  const { callSid, url, seconds = 0, startTime } = report
  // One reported without a sid gets an id of our own, so that another one of the same call is another one.
  const sid = readSid(form.RecordingSid) || hash('sha256', url)
  return { sid, call_sid: callSid, url, duration: seconds, start_time: startTime }
}
