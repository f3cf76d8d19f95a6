import { createHash } from 'node:crypto'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { lockLedger } from '../calls/find-call.ts'
import { type ProviderForm, readSid } from '../legs/provider-form.ts'
import { linkRecordings } from '../recordings/link-recordings.ts'
import { readRecordingReport } from '../recordings/recording-report.ts'

/** The job that copies the audio of a voicemail into our own store. */
export const VOICEMAIL_DOWNLOAD_JOB = 'voicemail-download'

const KEEP = statement<{ id: number }, Record<string, unknown>>(
  'voicemail_keep',
  sql`insert into connect_voicemail (sid, call_sid, url, duration, start_time, create_uid)
      values (${param('sid')}, ${param('call_sid')}, ${param('url')}, ${param('seconds')}::int,
        ${param('start_time')}::timestamp, ${param('create_uid')}::bigint)
      on conflict (sid) do nothing returning id`,
)

/**
 * Keeps a voicemail once and shows it on its call, as soon as that is known; until then no call is touched. A callback
 * without audio (still recording, nobody spoke, failed) says nothing of interest.
 */
export async function recordVoicemail(env: Env, { form }: Pick<ProviderForm, 'form'>): Promise<void> {
  const report = readRecordingReport({ form: { ...form, RecordingSid: form.RecordingSid || form.CallSid || '' } })
  if (report === undefined || report.callSid === '' || report.url === null) return
  await lockLedger(env.db, 'call', report.callSid)
  const [kept] = await env.db.run(KEEP, {
    sid: readSid(form.RecordingSid) || sidOfAddress(report.url),
    call_sid: report.callSid,
    url: report.url,
    seconds: report.seconds ?? 0,
    start_time: report.startTime,
    create_uid: env.identity.userId,
  })
  await linkRecordings(env, [report.callSid])
  if (kept !== undefined && env.settings.storesRecordings) {
    await env.platform.enqueue(env.db, { name: VOICEMAIL_DOWNLOAD_JOB, payload: { voicemailId: kept.id } })
  }
}

/** What a voicemail whose sid was not told is known by, so that another one of the same call is another one. */
function sidOfAddress(url: string): string {
  return createHash('sha256').update(url).digest('hex')
}
