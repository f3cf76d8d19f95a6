import { dial, number as numberNoun } from '../markup/dial.ts'
import { type CallPlan, markupPlan, verbsPlan } from './decide/plan.ts'
import { NO_CALLER_ID } from './decide/sentences.ts'
import { findParties } from './load/parties.ts'
import { type Rendering, reportUrl } from './rendering.ts'

const RING_SECONDS = 60
const STATUS_EVENTS = ['initiated', 'answered', 'completed'] as const

/**
 * Calls a number outside (docs/reference/domain.md#calls-of-sip-phones): with the user's own caller id, else the
 * default one.
 */
export async function renderOutbound(rendering: Rendering, number: string): Promise<CallPlan> {
  const { caller, defaultCallerId } = await findParties(rendering.env, rendering.call)
  const callerId = caller?.outgoingCallerId ?? defaultCallerId
  if (callerId === undefined) return markupPlan(NO_CALLER_ID(caller?.speech))
  const recording = { mode: 'record-from-answer', statusCallback: reportUrl(rendering, 'recordingstatus') } as const
  const { callDurationLimitSeconds } = rendering.env.settings
  const options = {
    callerId,
    timeoutSeconds: RING_SECONDS,
    timeLimitSeconds: callDurationLimitSeconds > 0 ? callDurationLimitSeconds : undefined,
    recording: caller?.recordsCalls === true ? recording : undefined,
  }
  const status = { url: reportUrl(rendering, 'callstatus'), events: STATUS_EVENTS }
  return verbsPlan([dial(options, [numberNoun({ number, status })])])
}
