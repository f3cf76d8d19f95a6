import type { CallStatus } from '../legs/call-status.ts'
import { isAgentAddress } from '../legs/party.ts'
import { earliest, hasEnded, isOwnPhone, type LegFacts, type Legs, latest, wasAnswered } from './call-legs.ts'

/** What came of a call, as people ask for it: `status` says `completed` of a missed call, too, when our markup answered. */
export const OUTCOMES = [
  ['in_progress', 'In progress'],
  ['agent', 'With the agent'],
  ['person', 'Answered by a person'],
  ['agent_person', 'Agent, then a person'],
  ['voicemail', 'Voicemail'],
  ['missed', 'Missed'],
  ['given_up', 'Hung up before an answer'],
  ['busy', 'Busy'],
  ['no_answer', 'No answer'],
  ['failed', 'Failed'],
] as const
type Outcome = (typeof OUTCOMES)[number][0]

/**
 * What legs alone say of an outcome; `ours`: nothing was dialled, our own markup spoke with the person who called. Voicemail, and
 * an agent that has no leg, are added where the row of the call is read (call-outcome-sql.ts).
 */
export const LEGS_OUTCOMES = [...OUTCOMES.map(([name]) => name), 'ours'] as const
type LegsOutcome = Exclude<Outcome, 'voicemail'> | 'ours'

export const END_REASONS = [
  ['ended', 'They talked'],
  ['caller_gave_up', 'The caller hung up before anyone answered'],
  ['nobody_answered', 'No one answered'],
  ['refused', 'The line was busy, or the call was declined'],
  ['not_reached', 'The dialled number could not be reached'],
  ['agent_not_reached', 'The voice agent could not be reached'],
  ['nothing_dialled', 'No phone rang'],
  ['not_dialled', 'The call ended before anyone was called'],
  ['not_reported', 'Twilio never reported the end'],
] as const
type EndReason = (typeof END_REASONS)[number][0]

/** Reasons with which a caller who was put through to people got none of them. */
export const NOT_TAKEN: readonly EndReason[] = ['caller_gave_up', 'nobody_answered', 'refused', 'not_reached']

export interface OutcomeFacts {
  readonly legsOutcome: LegsOutcome
  /** When a person or an agent first answered. */
  readonly answeredAtMs: number | undefined
  readonly endReason: EndReason | undefined
  /** When the last person or agent who answered was gone. */
  readonly talkedUntilMs?: number | undefined
}

type Direction = 'incoming' | 'outgoing' | 'internal'

/** What came of a call as far as its legs say. */
export function outcomeOfLegs(legs: Legs, direction: Direction): OutcomeFacts {
  const answered = takenBy(legs)
  const answeredAtMs = earliest(answered.map((leg) => leg.answeredAtMs))
  if (!legs.all.every(hasEnded)) return { legsOutcome: 'in_progress', answeredAtMs, endReason: undefined }
  const hasAgent = answered.some(isAgentLeg)
  const hasPerson = answered.some((leg) => !isAgentLeg(leg))
  if (hasAgent || hasPerson) {
    const both = hasAgent && hasPerson ? 'agent_person' : undefined
    const talkedUntilMs = latest(answered.map((leg) => leg.endedAtMs))
    const endReason = (hasPerson ? undefined : whyNotTaken(legs, direction)) ?? 'ended'
    return { legsOutcome: both ?? (hasAgent ? 'agent' : 'person'), answeredAtMs, endReason, talkedUntilMs }
  }
  return { ...unanswered(legs, direction), answeredAtMs: undefined }
}

/** Why nobody took the call that an agent put through to people; undefined where they rang before the agent, or not at all. */
function whyNotTaken(legs: Legs, direction: Direction): EndReason | undefined {
  const rung = legs.dialled.slice(legs.dialled.findLastIndex(isAgentLeg) + 1)
  return rung.length === 0 ? undefined : unanswered({ ...legs, dialled: rung, all: rung }, direction).endReason
}

/** A leg at the voice-agent platform. */
export function isAgentLeg(leg: LegFacts): boolean {
  return leg.direction !== 'inbound' && [leg.called, leg.to].some(isAgentAddress)
}

/**
 * Legs on which a person or an agent answered. The first leg of a click-to-call is the person who clicked: somebody
 * answered when the one they called did.
 */
function takenBy({ root, dialled }: Legs): readonly LegFacts[] {
  const ringing = dialled.length === 0 && root.direction === 'outbound-api' && !isOwnPhone(root) ? [root] : dialled
  return ringing.filter(wasAnswered)
}

type Unanswered = Omit<OutcomeFacts, 'answeredAtMs'>

/** Whose own phone was to ring first has called nobody when that phone was not picked up: its end says nothing of whom they wanted. */
function unanswered(legs: Legs, direction: Direction): Unanswered {
  const isOwnPhoneAlone = legs.dialled.length === 0 && isOwnPhone(legs.root)
  const told = untaken(legs, direction)
  return isOwnPhoneAlone ? { ...told, endReason: 'not_dialled' } : told
}

function untaken({ root, dialled, all }: Legs, direction: Direction): Unanswered {
  if (all.some(({ status }) => status === 'canceled')) return { legsOutcome: 'given_up', endReason: 'caller_gave_up' }
  const broken = dialled.find(isBroken)
  const hasRung = dialled.some(({ status }) => status !== 'failed')
  if (broken !== undefined && !hasRung) {
    return { legsOutcome: 'failed', endReason: isAgentLeg(broken) ? 'agent_not_reached' : 'not_reached' }
  }
  if (dialled.length === 0 && root.status === 'completed' && isOwnPhone(root)) {
    return { legsOutcome: 'no_answer', endReason: 'not_dialled' }
  }
  if (dialled.length === 0 && root.status === 'completed') return { legsOutcome: 'ours', endReason: 'nothing_dialled' }
  const ends = (dialled.length > 0 ? dialled : all).map(endOf)
  return direction === 'incoming' ? missed(ends) : notReached(ends)
}

/** How a leg ended for the caller: a phone that was picked up and connected with nobody did not answer. */
function endOf({ status, isUnbridged }: LegFacts): CallStatus {
  return isUnbridged === true && status === 'completed' ? 'no-answer' : status
}

/** The leg could not be set up, which is more than that a phone was switched off. */
export function isBroken(leg: LegFacts): boolean {
  return leg.status === 'failed' && (isAgentLeg(leg) || leg.errorCode !== '')
}

/** Where all telephones ended alike, why: one that is off or not signed in has not rung. */
const MISSED_BY = [
  { status: 'busy', why: 'refused' },
  { status: 'failed', why: 'not_reached' },
] as const

function missed(ends: readonly CallStatus[]): Unanswered {
  return {
    legsOutcome: 'missed',
    endReason: MISSED_BY.find(({ status }) => ends.every((each) => each === status))?.why ?? 'nobody_answered',
  }
}

function notReached(ends: readonly CallStatus[]): Unanswered {
  if (ends.includes('no-answer')) return { legsOutcome: 'no_answer', endReason: 'nobody_answered' }
  if (ends.includes('busy')) return { legsOutcome: 'busy', endReason: 'refused' }
  return { legsOutcome: 'failed', endReason: 'not_reached' }
}
