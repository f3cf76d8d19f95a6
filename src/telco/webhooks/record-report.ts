import type { CallEvent } from '../../ledger/legs/leg-event.ts'
import { type RecordedEvent, recordCallEvent, recordKnownLegEvent } from '../../ledger/legs/record-legs.ts'
import type { Env } from '../../platform/access/env.ts'
import { forgetWalk } from '../routing/load/ring-attempts.ts'
import type { TelcoEffects } from './parts.ts'
import type { TelcoRequest } from './request.ts'

type Effects = Pick<TelcoEffects, 'linkRecordings'>

/** Records what the request says of its leg; undefined when it names no call, or none that is known yet. */
export function recordReport(env: Env, effects: Effects, request: TelcoRequest): Promise<number | undefined> {
  return record(env, effects, request, recordCallEvent)
}

/** The same for requests that a call makes on its way: they begin no call, for a leg that is not known stays so. */
export function recordKnownReport(env: Env, effects: Effects, request: TelcoRequest): Promise<number | undefined> {
  return record(env, effects, request, recordKnownLegEvent)
}

async function record(
  env: Env,
  effects: Effects,
  { event }: TelcoRequest,
  keep: (env: Env, event: CallEvent) => Promise<RecordedEvent>,
): Promise<number | undefined> {
  if (event === undefined) return undefined
  const { callId, changedSids, isOver } = await keep(env, event)
  if (changedSids.length > 0) await effects.linkRecordings(env, changedSids)
  // Whoever hangs up in a voicemail, or while a phone rings, asks for nothing more that would end the walk.
  if (isOver) forgetWalk(env, callId)
  return callId
}
