export const CALL_STATUSES = [
  'queued',
  'initiated',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'failed',
  'no-answer',
  'canceled',
] as const
export type CallStatus = (typeof CALL_STATUSES)[number]

export const LEG_DIRECTIONS = ['inbound', 'outbound-api', 'outbound-dial'] as const
export type LegDirection = (typeof LEG_DIRECTIONS)[number]

/**
 * How far along a leg is. No two statuses are equal, so that the stronger of two is the same whichever came first and
 * a row needs to keep nothing beside the status itself. Conflicting ends are decided by what they say about the people:
 * they talked, the phone refused, nobody picked up, the caller gave up, it did not work.
 */
const STRENGTH: Readonly<Record<CallStatus, number>> = {
  queued: 0,
  initiated: 1,
  ringing: 2,
  'in-progress': 3,
  failed: 4,
  canceled: 5,
  'no-answer': 6,
  busy: 7,
  completed: 8,
}

/** True for the five statuses that a leg never leaves. */
export function isTerminal(status: CallStatus): boolean {
  return STRENGTH[status] > STRENGTH['in-progress']
}

/** Negative when `a` is the weaker status, positive when it is the stronger one. */
export function compareStatuses(a: CallStatus, b: CallStatus): number {
  return STRENGTH[a] - STRENGTH[b]
}

/** The stronger of two statuses of one leg: forward only, and an end stays an end. */
export function strongerStatus(a: CallStatus, b: CallStatus): CallStatus {
  return STRENGTH[a] >= STRENGTH[b] ? a : b
}

/** The status that a callback names, or undefined for one that we do not know. */
export function parseCallStatus(text: string): CallStatus | undefined {
  const word = text.trim().toLowerCase()
  // The subscribed event is called "answered", the status that it reports "in-progress"; accept either word.
  if (word === 'answered') return 'in-progress'
  return CALL_STATUSES.find((status) => status === word)
}

/** The technical direction that a callback names, or undefined for one that we do not know. */
export function parseLegDirection(text: string): LegDirection | undefined {
  return LEG_DIRECTIONS.find((direction) => direction === text)
}
