import { dial, number as numberNoun } from '../../markup/dial.ts'
import { type RouteContext, reportUrl } from './context.ts'
import { type CallPlan, verbsPlan } from './plan.ts'
import { NO_CALLER_ID } from './sentences.ts'

const RING_SECONDS = 60
const STATUS_EVENTS = ['initiated', 'answered', 'completed'] as const

/**
 * Calls a number outside (docs/reference/domain.md#calls-of-sip-phones): with the user's own caller id, else the
 * default one.
 */
export function routeToOutside(context: RouteContext, number: string): CallPlan {
  const { caller, defaultCallerId } = context.loaded.get('parties', 'of the call')
  const callerId = caller?.outgoingCallerId ?? defaultCallerId
  if (callerId === undefined) return verbsPlan(NO_CALLER_ID(caller?.speech))
  const recording = { mode: 'record-from-answer', statusCallback: reportUrl(context, 'recordingstatus') } as const
  const { callDurationLimitSeconds } = context.settings
  const options = {
    callerId,
    timeoutSeconds: RING_SECONDS,
    timeLimitSeconds: callDurationLimitSeconds > 0 ? callDurationLimitSeconds : undefined,
    recording: caller?.recordsCalls === true ? recording : undefined,
  }
  const status = { url: reportUrl(context, 'callstatus'), events: STATUS_EVENTS }
  return verbsPlan([dial(options, [numberNoun({ number, status })])])
}
