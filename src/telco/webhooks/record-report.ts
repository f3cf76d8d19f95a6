import { type RecordedLeg, recordKnownLegs, recordLegs } from '../../ledger/legs/record-legs.ts'
import type { Env } from '../../platform/access/env.ts'
import { forgetWalk } from '../routing/load/ring-attempts.ts'
import type { TelcoRequest } from './request.ts'

/** Records what the request says of its leg; undefined when it names no call, or none that is known yet. */
export async function recordReport(env: Env, { event }: TelcoRequest): Promise<number | undefined> {
  return event === undefined ? undefined : callOf(env, await recordLegs(env, [event]))
}

/** The same for requests that a call makes on its way: they begin no call, for a leg that is not known stays so. */
export async function recordKnownReport(env: Env, { event }: TelcoRequest): Promise<number | undefined> {
  return event === undefined ? undefined : callOf(env, await recordKnownLegs(env, [event]))
}

function callOf(env: Env, [recorded]: readonly RecordedLeg[]): number | undefined {
  // Whoever hangs up in a voicemail, or while a phone rings, asks for nothing more that would end the walk.
  if (recorded?.isOver === true) forgetWalk(env, recorded.callId)
  return recorded?.callId
}
