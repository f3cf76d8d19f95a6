import { type CallStatus, type LegDirection, parseCallStatus, parseLegDirection } from './call-status.ts'
import { connectedNobody, connectedTwo, wasPickedUp } from './dial-report.ts'
import { readCount, readMomentMs } from './provider-form.ts'

export type CallType = 'phone' | 'whatsapp'

/** What one voice request or status callback says about one leg. An empty text or undefined means: it does not say. */
export interface CallEvent {
  readonly sid: string
  readonly parentSid: string
  readonly direction: LegDirection | undefined
  readonly status: CallStatus | undefined
  readonly caller: string
  readonly called: string
  readonly to: string
  readonly callType: CallType
  /** Seconds. Only final callbacks carry it. */
  readonly duration: number | undefined
  /** When it happened at the provider; voice requests do not say. */
  readonly timestampMs: number | undefined
  readonly errorCode: string
  readonly errorMessage: string
  /** The name that the network shows for the caller. */
  readonly callerName: string
  /** Whether the network vouches for the caller's number, in the provider's words. */
  readonly stirVerstat: string
  readonly forwardedFrom: string
  /** A leg dialled out of this one that was connected with nobody, even if it answered. */
  readonly unbridgedDial: string
  /** A leg dialled out of this one on which two people talked. */
  readonly bridgedDial: string
  readonly conferenceSid: string
  /** Such as a form that names no status: of a leg that is not known it says nothing. */
  readonly isBare?: true
}

/** For events that are no forms of the provider. */
export const SAYS_NO_MORE = {
  callerName: '',
  stirVerstat: '',
  forwardedFrom: '',
  unbridgedDial: '',
  bridgedDial: '',
  conferenceSid: '',
} as const satisfies Partial<CallEvent>

const SID_LENGTH_MAX = 64
/** The provider's longest party is a SIP address of 255 characters (docs/reference/providers.md#dial-limits). */
const PARTY_LENGTH_MAX = 255
const NAME_LENGTH_MAX = 100
const ERROR_CODE_LENGTH_MAX = 32
const ERROR_MESSAGE_LENGTH_MAX = 1000

/** The event in the fields of a voice request or status callback; undefined when they name no call. */
export function parseCallEvent(form: Readonly<Record<string, string>>): CallEvent | undefined {
  const sid = sidOf(form.CallSid)
  if (sid === '') return undefined
  const parentSid = sidOf(form.ParentCallSid)
  const caller = firstOf(form.Caller, form.From)
  const called = firstOf(form.Called, form.To)
  const to = clean(form.To, PARTY_LENGTH_MAX)
  return {
    sid,
    parentSid: parentSid === sid ? '' : parentSid,
    direction: parseLegDirection(form.Direction ?? ''),
    status: parseCallStatus(form.CallStatus ?? ''),
    caller: withoutWhatsApp(caller),
    called: withoutWhatsApp(called),
    to: withoutWhatsApp(to),
    callType: [caller, called, to].some(isWhatsApp) ? 'whatsapp' : 'phone',
    // Not `Duration`: that one counts billed minutes (docs/reference/providers.md#call-progress).
    duration: readCount(form.CallDuration),
    timestampMs: readMomentMs(form.Timestamp),
    errorCode: clean(form.ErrorCode, ERROR_CODE_LENGTH_MAX),
    errorMessage: clean(form.ErrorMessage, ERROR_MESSAGE_LENGTH_MAX),
    callerName: clean(form.CallerName, NAME_LENGTH_MAX),
    stirVerstat: clean(form.StirVerstat, NAME_LENGTH_MAX),
    forwardedFrom: clean(form.ForwardedFrom, PARTY_LENGTH_MAX),
    unbridgedDial: unbridgedDial(form),
    bridgedDial: connectedTwo(form) ? dialSid(form) : '',
    conferenceSid: sidOf(form.ConferenceSid),
    ...((form.CallStatus ?? '').trim() === '' ? { isBare: true } : {}),
  }
}

/**
 * The leg on which a dial connected two people, as a report of its end would say it: its own reports may be lost, or say
 * otherwise. Undefined where the request after a dial does not say that.
 */
export function connectedLeg(form: Readonly<Record<string, string>>): CallEvent | undefined {
  if (!connectedTwo(form)) return undefined
  return parseCallEvent({
    CallSid: form.DialCallSid ?? '',
    ParentCallSid: form.CallSid ?? '',
    Direction: 'outbound-dial',
    CallStatus: 'completed',
    CallDuration: form.DialCallDuration ?? '',
  })
}

/** The same event about a leg that is known; of another one it says nothing. */
export function ofKnownLeg(event: CallEvent): CallEvent {
  return { ...event, isBare: true }
}

/** In the place of a leg that a dial did not connect, where its report leaves out which one it dialled. */
export const UNNAMED_DIAL = '*'

/**
 * A phone that answers and is not connected, as when its owner declines in a screening, talked with nobody. The provider calls
 * such a dial `completed` or `no-answer`, and the dialled leg `completed` in both.
 */
function unbridgedDial(form: Readonly<Record<string, string>>): string {
  if (!connectedNobody(form)) return ''
  return dialSid(form) || (wasPickedUp(form) ? UNNAMED_DIAL : '')
}

/** The leg that was dialled, as one of a list with commas. */
function dialSid(form: Readonly<Record<string, string>>): string {
  return sidOf(form.DialCallSid).replaceAll(',', '')
}

/** The sid, or nothing when it is too long to be one: cutting it short could make two calls into one. */
function sidOf(text: string | undefined): string {
  const sid = clean(text, SID_LENGTH_MAX + 1)
  return sid.length > SID_LENGTH_MAX ? '' : sid
}

function firstOf(preferred: string | undefined, fallback: string | undefined): string {
  return clean(preferred, PARTY_LENGTH_MAX) || clean(fallback, PARTY_LENGTH_MAX)
}

/** Text that every store accepts: no control characters (PostgreSQL refuses NUL), no half characters, bounded. */
function clean(text: string | undefined, lengthMax: number): string {
  return (text ?? '')
    .slice(0, 4 * lengthMax)
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed()
}

function isWhatsApp(party: string): boolean {
  return party.toLowerCase().startsWith('whatsapp:')
}

function withoutWhatsApp(party: string): string {
  return isWhatsApp(party) ? party.slice('whatsapp:'.length).trim() : party
}
