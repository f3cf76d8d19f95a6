import type { CallEvent } from '../../ledger/legs/leg-event.ts'
import { type RecordedLeg, recordKnownLegs, recordLegs } from '../../ledger/legs/record-legs.ts'
import type { Env } from '../../platform/access/env.ts'
import { clearAttempts } from '../phone-users/ring-attempts.ts'
import type { TelcoRequest } from './request.ts'

/** Records what each request says of its leg, and answers for each that names a call; others say nothing. */
export async function recordLegReports(env: Env, requests: readonly TelcoRequest[]): Promise<RecordedLeg[]> {
  return endRingAttempts(env, await recordLegs(env, eventsOf(requests)))
}

/** The same for requests that a call makes on its way: they begin no call, for a leg that is not known stays so. */
export async function recordKnownLegReports(env: Env, requests: readonly TelcoRequest[]): Promise<RecordedLeg[]> {
  return endRingAttempts(env, await recordKnownLegs(env, eventsOf(requests)))
}

function eventsOf(requests: readonly TelcoRequest[]): CallEvent[] {
  return requests.flatMap(({ event }) => event ?? [])
}

/** Whoever hangs up in a voicemail, or while a phone rings, asks for nothing more that would end the ring attempts. */
function endRingAttempts(env: Env, recorded: RecordedLeg[]): RecordedLeg[] {
  for (const { callId: call, isOver } of recorded) if (isOver && call !== undefined) clearAttempts(env.db, { call })
  return recorded
}
