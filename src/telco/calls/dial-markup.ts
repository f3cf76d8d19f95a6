import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { statusUrl } from '../applications/webhook-url.ts'
import { dial, number as numberNoun, type StatusReport, whatsApp } from '../markup/dial.ts'
import { renderMarkup, type Verb } from '../markup/verb.ts'

const RING_SECONDS = 60
const EVENTS = ['initiated', 'answered', 'completed'] as const

interface Dialling {
  number: string
  callerId: string
  isRecorded: boolean
}

/** Markup that connects whoever answers with a number outside (docs/reference/domain.md#calls-of-sip-phones). */
export function dialNumber(settings: SettingsSnapshot, dialling: Dialling): string {
  return document(settings, dialling, numberNoun({ number: dialling.number, status: report(settings) }))
}

/** Markup that connects whoever answers with a number on WhatsApp. */
export function dialWhatsApp(settings: SettingsSnapshot, dialling: Dialling): string {
  return document(settings, dialling, whatsApp({ number: dialling.number, status: report(settings) }))
}

function document(settings: SettingsSnapshot, { callerId, isRecorded }: Dialling, noun: Verb): string {
  const { callDurationLimitSeconds: limit } = settings
  const recording = { mode: 'record-from-answer', statusCallback: required(settings, 'recordingstatus') } as const
  const options = {
    callerId,
    timeoutSeconds: RING_SECONDS,
    timeLimitSeconds: limit > 0 ? limit : undefined,
    recording: isRecorded ? recording : undefined,
  }
  return renderMarkup([dial(options, [noun])])
}

function report(settings: SettingsSnapshot): StatusReport {
  return { url: required(settings, 'callstatus'), events: EVENTS }
}

function required({ apiUrl, telcoEdge }: SettingsSnapshot, kind: string): string {
  const url = statusUrl(apiUrl, `/telco/webhook/${kind}`, telcoEdge)
  if (url !== null) return url
  throw new Refusal('refused', 'The API URL is not set: without it the phone provider cannot report what happens.')
}
