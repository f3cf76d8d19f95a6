import { type ProviderForm, readCount, readLine, readMoment, readSid, readWebUrl } from '../legs/provider-form.ts'

/**
 * What a recording of the provider may be, a later one of these over an earlier one whatever came first. `completed`
 * means that its audio can be fetched.
 */
export const RECORDING_STATUSES = ['in-progress', 'absent', 'failed', 'completed'] as const
type RecordingStatus = (typeof RECORDING_STATUSES)[number]

/** What one callback says of a recording. */
export interface RecordingReport {
  sid: string
  callSid: string
  /** Of a recording of a conference, which is of no single leg. */
  conferenceSid: string
  status: RecordingStatus
  /** Where the audio is; only a finished recording has some. */
  url: string | null
  seconds: number | undefined
  source: string | null
  startTime: string | null
}

/** Reads a recording callback; undefined when it names no recording. The provider leaves the status out where it is done. */
export function readRecordingReport({ form }: Pick<ProviderForm, 'form'>): RecordingReport | undefined {
  const sid = readSid(form.RecordingSid)
  const written = (form.RecordingStatus ?? '').trim().toLowerCase()
  const said = written === '' ? 'completed' : RECORDING_STATUSES.find((each) => each === written)
  // Of no length it has no audio, whatever word the provider has for it.
  const status = said === 'completed' && readCount(form.RecordingDuration) === 0 ? 'absent' : said
  if (sid === '' || status === undefined) return undefined
  const isDone = status === 'completed'
  return {
    sid,
    callSid: readSid(form.CallSid),
    conferenceSid: readSid(form.ConferenceSid),
    status,
    url: isDone ? readWebUrl(form.RecordingUrl) : null,
    seconds: isDone ? (readCount(form.RecordingDuration) ?? 0) : undefined,
    source: readLine(form.RecordingSource),
    startTime: readMoment(form.RecordingStartTime),
  }
}
