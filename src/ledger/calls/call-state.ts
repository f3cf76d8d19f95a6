import { type CallStatus, compareStatuses, strongerStatus } from '../legs/call-status.ts'
import type { CallType } from '../legs/leg-event.ts'
import { secondsOf } from '../legs/leg-state.ts'
import { compareTimes } from '../legs/leg-tree.ts'
import { externalSide } from '../legs/party.ts'
import {
  earliest,
  hasEnded,
  isOwnPhone,
  type LegFacts,
  type Legs,
  latest,
  legsOfCall,
  ringing,
  wasAnswered,
} from './call-legs.ts'
import { isAgentLeg, type OutcomeFacts, outcomeOfLegs } from './call-outcome.ts'
import { type StripPart, stripOfLegs } from './call-strip.ts'

type CallDirection = 'incoming' | 'outgoing' | 'internal'

/** All of a call's row that follows from its legs. Users are PBX users. */
export interface CallFacts extends OutcomeFacts {
  readonly rootSid: string
  readonly direction: CallDirection
  readonly status: CallStatus
  readonly callType: CallType
  readonly caller: string
  readonly called: string
  /** Seconds of the first leg. */
  readonly duration: number
  readonly callerUserId: number | undefined
  readonly answeredUserId: number | undefined
  readonly calledUserIds: readonly number[]
  /** Numbers of the outside party, best first: the first that belongs to a contact names the call's contact. */
  readonly externalNumbers: readonly string[]
  readonly startedAtMs: number | undefined
  readonly endedAtMs: number | undefined
  readonly strip: readonly StripPart[]
  /** A voice agent was dialled: its leg tells when it answered. */
  readonly hasAgentLeg: boolean
  /** A phone of ours rings, or rang, for its owner, and nobody was dialled: no leg says who is to be called. */
  readonly isBeforeDial: boolean
  readonly hasError: boolean
  readonly errorCode: string
  readonly errorMessage: string
  /** Every leg has ended: the call can be registered. */
  readonly isFinished: boolean
  /** Nobody picked up, even where the provider calls it completed because our markup had answered, as for voicemail. */
  readonly wasMissed: boolean
  /** What the network says of the caller, and of who sent the call on. */
  readonly callerName: string
  readonly stirVerstat: string
  readonly forwardedFrom: string
}

/**
 * The facts of a call, from the set of its legs: neither their order nor a leg of another call changes anything.
 * Undefined while the leg that began the call is not among them.
 */
export function foldCall(set: Iterable<LegFacts>): CallFacts | undefined {
  const legs = legsOfCall(set)
  if (legs === undefined) return undefined
  const { root, all } = legs
  const direction = directionOf(legs)
  const status = statusOf(legs)
  const isFinished = all.every(hasEnded)
  const failed = all.find((leg) => leg.errorCode !== '')
  return {
    rootSid: root.sid,
    direction,
    status,
    callType: all.some((leg) => leg.callType === 'whatsapp') ? 'whatsapp' : 'phone',
    caller: root.callerNumber,
    called: calledOf(legs),
    duration: secondsOf(root, earliest(all.map((leg) => leg.startedAtMs))),
    callerUserId: callingUser(root, legs),
    answeredUserId: ringing(legs).findLast((leg) => wasAnswered(leg) && leg.calledUserId !== undefined)?.calledUserId,
    calledUserIds: calledUsersOf(legs),
    externalNumbers: externalNumbersOf(legs),
    startedAtMs: earliest(all.map((leg) => leg.startedAtMs)),
    endedAtMs: isFinished ? latest(all.map((leg) => leg.endedAtMs)) : undefined,
    ...outcomeOfLegs(legs, direction),
    strip: stripOfLegs(legs),
    hasAgentLeg: all.some(isAgentLeg),
    isBeforeDial: legs.dialled.length === 0 && isOwnPhone(root),
    hasError: failed !== undefined,
    errorCode: failed?.errorCode ?? '',
    errorMessage: failed?.errorMessage ?? '',
    isFinished,
    wasMissed: direction === 'incoming' && isFinished && !ringing(legs).some(wasCompleted),
    callerName: firstText(all.map(({ callerName }) => callerName)),
    stirVerstat: firstText(all.map(({ stirVerstat }) => stirVerstat)),
    forwardedFrom: firstText(all.map(({ forwardedFrom }) => forwardedFrom)),
  }
}

function wasCompleted(leg: LegFacts): boolean {
  return leg.status === 'completed' && wasAnswered(leg)
}

function firstText(texts: readonly string[]): string {
  return texts.find((text) => text !== '') ?? ''
}

/**
 * The status of a live call is that of the legs it is waiting for; between two of them, that of the first leg once that
 * is known to be talking. In every other case the call is completed when any of its legs was; else the newest one that
 * was dialled says why not.
 */
function statusOf({ root, dialled, all }: Legs): CallStatus {
  const live = dialled.filter((leg) => !hasEnded(leg))
  if (live.length > 0) return live.map((leg) => leg.status).reduce(strongerStatus)
  if (root.status === 'in-progress') return root.status
  if (all.some((leg) => leg.status === 'completed')) return 'completed'
  return newestEnd(dialled) ?? root.status
}

/** Devices that rang at once began in the same second: then the plainest refusal speaks for all of them. */
function newestEnd(legs: readonly LegFacts[]): CallStatus | undefined {
  return [...legs].sort((a, b) => compareTimes(a, b) || sameTimeOrder(a, b)).at(-1)?.status
}

function sameTimeOrder(a: LegFacts, b: LegFacts): number {
  const byStatus = a.startedAtMs === undefined ? 0 : compareStatuses(a.status, b.status)
  return byStatus || (a.sid < b.sid ? -1 : 1)
}

function directionOf(legs: Legs): CallDirection {
  if (legs.dialled.some((leg) => isInternal(leg, legs))) return 'internal'
  const { root } = legs
  return root.direction === 'inbound' && root.callerUserId === undefined ? 'incoming' : 'outgoing'
}

/** A leg and its parent join two PBX users, one calling and one called. */
function isInternal(leg: LegFacts, legs: Legs): boolean {
  const parent = legs.all.find((other) => other.sid === leg.parentSid)
  if (parent === undefined) return false
  if (callingUser(parent, legs) !== undefined && leg.calledUserId !== undefined) return true
  // A user rung first and then calling out, as in a click-to-call, is one person on both sides.
  const isSamePerson = leg.callerUserId === parent.calledUserId
  return leg.callerUserId !== undefined && parent.calledUserId !== undefined && !isSamePerson
}

function callingUser(leg: LegFacts, legs: Legs): number | undefined {
  return leg.callerUserId ?? (legs.isClickToCall && leg === legs.root ? leg.calledUserId : undefined)
}

function calledOf({ root, dialled, isClickToCall }: Legs): string {
  const called = isClickToCall ? dialled.find((leg) => leg.calledNumber !== '') : undefined
  return called?.calledNumber ?? root.calledNumber
}

function calledUsersOf({ all, dialled, isClickToCall }: Legs): number[] {
  const ids = (isClickToCall ? dialled : all).map((leg) => leg.calledUserId).filter((id) => id !== undefined)
  return [...new Set(ids)].sort((a, b) => a - b)
}

function externalNumbersOf({ all, root, dialled, isClickToCall }: Legs): string[] {
  const numbers = (isClickToCall ? [...dialled, root] : all).map((leg) => {
    const side = externalSide(leg)
    if (side === undefined) return ''
    return side === 'caller' ? leg.callerNumber : leg.calledNumber
  })
  return [...new Set(numbers.filter((number) => number !== ''))]
}
