import { type Env, elevated } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'

/** Between whom a trial is. */
export interface TrialCall {
  id: number
  agent: number | null
  caller: string | null
  called: string | null
  partner: number | null
}

/** The caller's leg of a trial, which no provider has. */
export function trialSid(id: number): string {
  return `TRIAL${id}`
}

/**
 * Makes the call that a trial would be, for work of which nothing is kept: tools and the looking up of callers then find what
 * they find in a call.
 */
export async function pretendCall(env: Env, { id, agent, caller, called, partner }: TrialCall): Promise<number> {
  // Nobody writes calls; this one is gone with the transaction.
  const own = elevated(env)
  const parties = { caller: caller ?? '', called: called ?? '', partner, status: 'in-progress' }
  const [call = 0] = await records(own, 'connect.call').create([
    { ...parties, direction: 'incoming', voiceai_agent: agent },
  ])
  await records(own, 'connect.channel').create([
    { ...parties, sid: trialSid(id), call, technical_direction: 'inbound' },
  ])
  return call
}
