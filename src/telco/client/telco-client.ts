import type { RecordingInstance } from 'twilio/lib/rest/api/v2010/account/recording.js'
import type { Logger } from '../../log.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { FetchedRecording, NewMessage, TelcoClient } from '../../ports/telco-client.ts'
import { momentOf, textOf } from './answers.ts'
import { TelcoMedia } from './media.ts'
import { TelcoSdk } from './sdk.ts'
import { Transport } from './transport.ts'

interface TelcoClientParts {
  settings: Settings
  /** Stands for all hosts of the provider; undefined means the real ones. */
  baseUrl: string | undefined
  log: Logger
}

const RECORDINGS_MAX = 20
const CALL_EVENTS = ['initiated', 'ringing', 'answered', 'completed']

/** The phone provider's REST API through its own SDK, which is loaded when the first request is made. */
export function createTelcoClient({ settings, baseUrl, log }: TelcoClientParts): TelcoClient {
  const sdk = new TelcoSdk(settings, new Transport(baseUrl, log))
  const media = new TelcoMedia(settings, baseUrl)
  return {
    async redirectCall(callSid, markup) {
      await sdk.ask((client) => client.calls(callSid).update({ twiml: markup }))
    },
    async endCall(callSid) {
      await sdk.ask((client) => client.calls(callSid).update({ status: 'completed' }))
    },
    async createCall({ to, from, markup, statusCallback, timeoutSeconds }) {
      const call = { to, from, twiml: markup, timeout: timeoutSeconds }
      const reports = statusCallback === undefined ? {} : { statusCallback, statusCallbackEvent: CALL_EVENTS }
      const { sid, status } = await sdk.ask((client) => client.calls.create({ ...call, ...reports }))
      return { sid, status }
    },
    async sendMessage(message) {
      const wanted = toSdkMessage(message)
      const { sid, status, errorCode, errorMessage } = await sdk.ask((client) => client.messages.create(wanted))
      return { sid, status, errorCode: textOf(errorCode), errorMessage: textOf(errorMessage) }
    },
    async fetchCall(callSid) {
      const { sid, status, price, priceUnit } = await sdk.ask((client) => client.calls(callSid).fetch())
      return { sid, status, price: numberOf(price), priceUnit: textOf(priceUnit) }
    },
    fetchRecording: async (sid) => toRecording(await sdk.ask((client) => client.recordings(sid).fetch())),
    async listCallRecordings(callSid) {
      const options = { limit: RECORDINGS_MAX }
      return (await sdk.ask((client) => client.calls(callSid).recordings.list(options))).map(toRecording)
    },
    async startRecording(callSid, { statusCallback }) {
      const reports =
        statusCallback === undefined
          ? {}
          : { recordingStatusCallback: statusCallback, recordingStatusCallbackEvent: ['completed', 'absent'] }
      const options = { recordingChannels: 'dual', ...reports }
      return toRecording(await sdk.ask((client) => client.calls(callSid).recordings.create(options)))
    },
    async stopRecording(callSid, recordingSid) {
      await sdk.ask((client) => client.calls(callSid).recordings(recordingSid).update({ status: 'stopped' }))
    },
    openMedia: (url, options) => media.open(url, options),
    openMessageMedia: (url, options) => media.openOfMessage(url, options),
    openTemplateMedia: (url, options) => media.openOfTemplate(url, options),
  }
}

function toSdkMessage({ to, from, body, mediaUrls = [], content, statusCallback }: NewMessage) {
  const text = content === undefined ? { body: body ?? '' } : { contentSid: content.sid }
  return {
    to,
    from,
    ...text,
    ...(content?.variables === undefined ? {} : { contentVariables: content.variables }),
    ...(mediaUrls.length === 0 ? {} : { mediaUrl: [...mediaUrls] }),
    ...(statusCallback === undefined ? {} : { statusCallback }),
  }
}

/** What of the SDK's recordings we read; the two kinds of them differ in the rest. */
type SdkRecording = Pick<RecordingInstance, 'sid' | 'callSid' | 'duration' | 'priceUnit' | 'startTime'> & {
  price: string | number
  status: string
  source: string | null
  mediaUrl?: string | null
}

function toRecording(recording: SdkRecording): FetchedRecording {
  const { sid, callSid, status } = recording
  return {
    sid,
    callSid,
    status,
    seconds: lengthOf(recording.duration),
    source: textOf(recording.source),
    price: numberOf(recording.price),
    priceUnit: textOf(recording.priceUnit),
    startTime: momentOf(recording.startTime),
    mediaUrl: textOf(recording.mediaUrl),
  }
}

/** The provider writes -1 while it does not know the length. */
function lengthOf(value: unknown): number | undefined {
  const seconds = numberOf(value)
  return seconds === undefined || seconds < 0 ? undefined : seconds
}

function numberOf(value: unknown): number | undefined {
  const text = textOf(value)
  return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text)
}
