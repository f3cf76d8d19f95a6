import { recordCallEvent } from '../../ledger/record-call-event.ts'
import type { Env } from '../../platform/env.ts'
import type { TelcoEffects } from './parts.ts'
import type { TelcoRequest } from './request.ts'

/** Records what the request says of its leg; undefined when it names no call, or none that is known yet. */
export async function recordReport(
  env: Env,
  effects: Pick<TelcoEffects, 'linkRecordings'>,
  { event }: TelcoRequest,
): Promise<number | undefined> {
  if (event === undefined) return undefined
  const { callId, changedSids } = await recordCallEvent(env, event)
  if (changedSids.length > 0) await effects.linkRecordings(env, changedSids)
  return callId
}
