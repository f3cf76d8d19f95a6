import { type CallStatus, isTerminal, LEG_DIRECTIONS, type LegDirection, strongerStatus } from './call-status.ts'
import type { CallEvent, CallType } from './leg-event.ts'
import { preferredParty } from './party.ts'

/**
 * What is known of one leg, and all that its row has to hold. The states of a leg form a join-semilattice: `joinLegs`
 * is commutative, associative and idempotent, so any order and any number of repeats of the same events end in the same
 * row. Every field by itself only grows (a greater rank, an earlier time, a longer duration), hence no evidence is stored
 * beside the values.
 */
export interface LegState {
  readonly sid: string
  readonly parentSid: string
  readonly direction: LegDirection | undefined
  readonly status: CallStatus
  readonly caller: string
  readonly called: string
  readonly to: string
  readonly callType: CallType
  /** Seconds; undefined until a final callback has said it. */
  readonly duration: number | undefined
  /** The earliest time at which the provider reported anything, an answer, an end. */
  readonly startedAtMs: number | undefined
  readonly answeredAtMs: number | undefined
  readonly endedAtMs: number | undefined
  readonly errorCode: string
  readonly errorMessage: string
  readonly callerName: string
  readonly stirVerstat: string
  readonly forwardedFrom: string
  /** Sids of legs dialled out of this one that answered and were connected with nobody; sorted, with commas between them. */
  readonly unbridgedDials: string
  /** Those on which the dial says that two people talked; in the same form. */
  readonly bridgedDials: string
  readonly conferenceSid: string
}

const MS_PER_SECOND = 1_000
/** Dials of one leg that are remembered so; a call with more is somebody trying. */
const DIALS_MAX = 100
/** Reported for a device that is not registered: every ring group has some, so it is no error of the call. */
const DEVICE_NOT_REGISTERED = '32009'

/** The leg after one more event, whatever the order in which its events arrive and however often. */
export function mergeLeg(current: LegState | undefined, event: CallEvent): LegState {
  const state = legOf(event)
  return current === undefined ? state : joinLegs(current, state)
}

/** Seconds of a leg: as reported, else from the answer, or from `beganMs` where that is not known, to the end. */
export function secondsOf(
  { status, duration, startedAtMs, answeredAtMs, endedAtMs }: LegState,
  beganMs: number | undefined = startedAtMs,
): number {
  const fromMs = answeredAtMs ?? beganMs
  if (duration !== undefined || status !== 'completed' || fromMs === undefined || endedAtMs === undefined) {
    return duration ?? 0
  }
  return Math.max(0, Math.round((endedAtMs - fromMs) / MS_PER_SECOND))
}

/** What two sets of events of one leg say together. */
function joinLegs(a: LegState, b: LegState): LegState {
  if (a.sid !== b.sid) throw new Error(`Legs ${a.sid} and ${b.sid} are two legs`)
  const error = preferredError(a, b)
  return {
    sid: a.sid,
    parentSid: preferredText(a.parentSid, b.parentSid),
    direction: laterDirection(a.direction, b.direction),
    status: strongerStatus(a.status, b.status),
    caller: preferredParty(a.caller, b.caller),
    called: preferredParty(a.called, b.called),
    to: preferredParty(a.to, b.to),
    callType: a.callType === 'whatsapp' ? a.callType : b.callType,
    duration: choose(Math.max, a.duration, b.duration),
    startedAtMs: choose(Math.min, a.startedAtMs, b.startedAtMs),
    answeredAtMs: choose(Math.min, a.answeredAtMs, b.answeredAtMs),
    endedAtMs: choose(Math.min, a.endedAtMs, b.endedAtMs),
    errorCode: error.errorCode,
    errorMessage: error.errorMessage,
    callerName: preferredText(a.callerName, b.callerName),
    stirVerstat: preferredText(a.stirVerstat, b.stirVerstat),
    forwardedFrom: preferredText(a.forwardedFrom, b.forwardedFrom),
    unbridgedDials: unionOf(a.unbridgedDials, b.unbridgedDials),
    bridgedDials: unionOf(a.bridgedDials, b.bridgedDials),
    conferenceSid: preferredText(a.conferenceSid, b.conferenceSid),
  }
}

/** The smallest of them where there are too many: the same ones in any order. */
function unionOf(a: string, b: string): string {
  if (a === '' || b === '' || a === b) return a || b
  return [...new Set([...a.split(','), ...b.split(',')])].sort().slice(0, DIALS_MAX).join(',')
}

/** What one event alone says of its leg. */
function legOf(event: CallEvent): LegState {
  // A status that nobody knows is the weakest one: it says that the leg exists, and changes nothing else.
  const status = event.status ?? 'queued'
  const hasEnded = isTerminal(status)
  const isError = !['', '0', DEVICE_NOT_REGISTERED].includes(event.errorCode)
  return {
    sid: event.sid,
    parentSid: event.parentSid,
    direction: event.direction,
    status,
    caller: event.caller,
    called: event.called,
    to: event.to,
    callType: event.callType,
    duration: hasEnded ? event.duration : undefined,
    startedAtMs: beginOf(event, hasEnded),
    answeredAtMs: status === 'in-progress' ? event.timestampMs : undefined,
    endedAtMs: hasEnded ? event.timestampMs : undefined,
    errorCode: isError ? event.errorCode : '',
    errorMessage: isError ? event.errorMessage : '',
    // What the network shows of whom we call ourselves is what we told it.
    callerName: event.direction?.startsWith('outbound') === true ? '' : event.callerName,
    stirVerstat: event.stirVerstat,
    forwardedFrom: event.forwardedFrom,
    unbridgedDials: event.unbridgedDial,
    bridgedDials: event.bridgedDial,
    conferenceSid: event.conferenceSid,
  }
}

/** The first leg of a call may report nothing but its end: it began no later than its duration before that. */
function beginOf({ timestampMs, duration = 0 }: CallEvent, hasEnded: boolean): number | undefined {
  if (timestampMs === undefined || !hasEnded) return timestampMs
  return timestampMs - duration * MS_PER_SECOND
}

function choose(pick: (a: number, b: number) => number, a: number | undefined, b: number | undefined) {
  if (a === undefined || b === undefined) return a ?? b
  return pick(a, b)
}

function preferredText(a: string, b: string): string {
  if (a === '' || b === '') return a || b
  return a <= b ? a : b
}

/** A leg has one direction; should two be reported, the one that presupposes more of the call wins. */
function laterDirection(a: LegDirection | undefined, b: LegDirection | undefined): LegDirection | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return LEG_DIRECTIONS.indexOf(a) >= LEG_DIRECTIONS.indexOf(b) ? a : b
}

type LegError = Pick<LegState, 'errorCode' | 'errorMessage'>

/** An error sticks, its code and message together; of two codes the first in the alphabet. */
function preferredError(a: LegError, b: LegError): LegError {
  if (a.errorCode !== b.errorCode) {
    return preferredText(a.errorCode, b.errorCode) === a.errorCode ? a : b
  }
  return preferredText(a.errorMessage, b.errorMessage) === a.errorMessage ? a : b
}
