import { CallEnded, type Party } from '../../line.ts'
import type { Carrier } from './carrier.ts'
import type { Leg } from './leg.ts'

/** The time between dialling and the first ring. */
const SET_UP_SECONDS = 1
const REFUSAL_SECONDS = 1

/** Ringing is over because somebody else answered, or because it took too long. */
export class RingingOver extends Error {
  override readonly name = 'RingingOver'
  readonly because: 'answered elsewhere' | 'timeout'

  constructor(because: RingingOver['because']) {
    super(because)
    this.because = because
  }
}

/** Ringing codes of SIP: the caller gave up, the callee did not react in time. */
const CANCELED = 487

export interface Ringing {
  readonly leg: Leg
  readonly extras: Readonly<Record<string, string>>
  /** Aborted with `RingingOver`, or with the reason of the leg that dials. */
  readonly signal: AbortSignal
  /** Says whether this leg may be answered now; another may have been first. */
  mayAnswer(): boolean
}

/**
 * Rings the party of an outgoing leg until it answers, refuses, or the signal is aborted. The leg has its status when
 * this returns; anyone who answered is talking by then. True when it was answered.
 */
export async function ring(carrier: Carrier, ringing: Ringing): Promise<boolean> {
  const { leg, signal } = ringing
  leg.advance('initiated')
  const party = carrier.findParty(leg.to)
  if (party === undefined) {
    carrier.problems.add({ where: 'scenario', message: `nobody was said to be at ${leg.to}` })
    leg.end('failed', 404)
    return false
  }
  try {
    await carrier.clock.sleep(SET_UP_SECONDS, signal)
    leg.advance('ringing')
    return await ringParty(carrier, party, ringing)
  } catch (reason) {
    leg.end(endedBy(reason), CANCELED)
    if (reason instanceof RingingOver) return false
    throw reason
  }
}

async function ringParty(
  carrier: Carrier,
  party: Party,
  { leg, extras, signal, mayAnswer }: Ringing,
): Promise<boolean> {
  const { clock } = carrier
  const invitation = { callSid: leg.sid, from: leg.from, to: leg.to, extras }
  const answer = await Promise.race([party.ring(invitation, signal), rejectedBy(signal)])
  if (answer.kind !== 'answered') {
    await clock.sleep(REFUSAL_SECONDS, signal)
    leg.end(answer.kind, answer.sipCode)
    return false
  }
  await clock.sleep(answer.afterSeconds, signal)
  if (!mayAnswer()) throw new RingingOver('answered elsewhere')
  leg.answer()
  void answer.talk(leg.handset).catch((error: unknown) => {
    if (error instanceof CallEnded) return
    carrier.problems.add({ where: 'scenario', message: `${leg.to} came to grief: ${String(error)}` })
    leg.hangUpByParty()
  })
  return true
}

function endedBy(reason: unknown): 'canceled' | 'no-answer' {
  return reason instanceof RingingOver && reason.because === 'timeout' ? 'no-answer' : 'canceled'
}

/** Never resolves; rejects with the signal's reason. */
export function rejectedBy(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  if (signal.aborted) reject(signal.reason)
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  // Anyone who lost the race does not hear of it.
  promise.catch(() => undefined)
  return promise
}
