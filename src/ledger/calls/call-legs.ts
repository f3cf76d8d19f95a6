import { isTerminal } from '../legs/call-status.ts'
import { UNNAMED_DIAL } from '../legs/leg-event.ts'
import type { LegState } from '../legs/leg-state.ts'
import { inOrder, rootOf } from '../legs/leg-tree.ts'
import { type FindUser, legNumber, mobileOf, userOf } from '../legs/party.ts'

/** A leg with its parties made out: what the row of a leg says. */
export interface LegFacts extends LegState {
  readonly callerNumber: string
  readonly calledNumber: string
  readonly callerUserId: number | undefined
  readonly calledUserId: number | undefined
  /** The leg answered, and the dial says that it was connected with nobody. */
  readonly isUnbridged?: boolean
  /** The dial says that two people talked on it, which counts more than every report of the leg. */
  readonly isBridged?: boolean
  /** It rings somebody's mobile, where a voicemail picks up too: only the answer by its key is one, or what the dial says. */
  readonly isMobile?: boolean
}

/** The legs of one call: the one that began it, and those that were dialled out of it. */
export interface Legs {
  readonly root: LegFacts
  readonly dialled: readonly LegFacts[]
  readonly all: readonly LegFacts[]
  /** The first leg rings the telephone of the person who clicked to call, and the next one the person called. */
  readonly isClickToCall: boolean
}

/** A leg's facts, read from its state with the PBX users as they are. */
export function legFacts(state: LegState, findUser: FindUser): LegFacts {
  const ofMobile = mobileOf(state, findUser)
  return {
    ...state,
    callerNumber: legNumber(state.caller, findUser),
    calledNumber: legNumber(state.called, findUser),
    callerUserId: userOf(state.caller, findUser)?.id,
    calledUserId: (userOf(state.called, findUser) ?? ofMobile)?.id,
    ...(ofMobile === undefined ? {} : { isMobile: true }),
  }
}

/** Undefined while the leg that began the call is not among them. */
export function legsOfCall(set: Iterable<LegFacts>): Legs | undefined {
  const ordered = withBridges(inOrder(set))
  const root = ordered[0]
  if (root === undefined || root.parentSid !== '') return undefined
  const bySid = new Map(ordered.map((leg) => [leg.sid, leg]))
  const all = ordered.filter((leg) => rootOf(leg.sid, bySid) === root.sid)
  const dialled = all.slice(1)
  return { root, dialled, all, isClickToCall: root.direction === 'outbound-api' && dialled.length > 0 }
}

/** What the dialling legs say of those they dialled. */
function withBridges(legs: readonly LegFacts[]): readonly LegFacts[] {
  const bridged = new Set(legs.flatMap(({ bridgedDials }) => (bridgedDials === '' ? [] : bridgedDials.split(','))))
  const told = bridged.size === 0 ? legs : legs.map((leg) => (bridged.has(leg.sid) ? { ...leg, isBridged: true } : leg))
  const unbridged = new Set(told.flatMap((leg) => unbridgedBy(leg, told)))
  return unbridged.size === 0 ? told : told.map((leg) => (unbridged.has(leg.sid) ? { ...leg, isUnbridged: true } : leg))
}

/** A dial that names nobody means the only leg of it that was picked up. */
function unbridgedBy({ sid, unbridgedDials }: LegFacts, legs: readonly LegFacts[]): string[] {
  if (unbridgedDials === '') return []
  const named = unbridgedDials.split(',')
  if (!named.includes(UNNAMED_DIAL)) return named
  const pickedUp = legs.filter((leg) => leg.parentSid === sid && leg.isBridged !== true && wasAnswered(leg))
  return pickedUp.length === 1 ? [...named, ...pickedUp.map((leg) => leg.sid)] : named
}

/** The legs that ring for somebody: those dialled, or the only leg. A first leg is answered by our own markup. */
export function ringing(legs: Legs): readonly LegFacts[] {
  return legs.dialled.length > 0 ? legs.dialled : legs.all
}

/** The phone of the person who clicked to call, which is picked up before anyone is called. */
export function isOwnPhone({ direction, calledUserId }: LegFacts): boolean {
  return direction === 'outbound-api' && calledUserId !== undefined
}

export function hasEnded(leg: LegFacts): boolean {
  return isTerminal(leg.status)
}

/** Whether somebody talked on it: a phone that was picked up and not connected took no call. */
export function wasAnswered(leg: LegFacts): boolean {
  if (leg.isBridged === true) return true
  if (leg.isUnbridged === true) return false
  if (leg.isMobile === true) return leg.answeredAtMs !== undefined
  return leg.status === 'in-progress' || leg.status === 'completed' || leg.answeredAtMs !== undefined
}

/** The first of the times that are known. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

/** The last of the times that are known. */
export function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 ? Math.max(...known) : undefined
}
