import { dial, number as numberNoun, whatsApp } from '../../markup/dial.ts'
import type { Verb } from '../../markup/verb.ts'
import { isBarred, NO_USER } from '../../outgoing/outgoing-limits.ts'
import { partiesOf } from './caller-id.ts'
import { type RouteContext, reportUrl } from './context.ts'
import { type CallPlan, verbsPlan } from './plan.ts'
import { CALL_NOT_ALLOWED, NO_CALLER_ID } from './spoken-endings.ts'

const RING_SECONDS = 60

/**
 * Calls a number outside (docs/reference/domain.md#calls-of-sip-phones): with the user's own caller id, else the
 * default one. Not one that is barred, and so many a day.
 */
export function routeToOutside(context: RouteContext, number: string): CallPlan {
  const { caller, defaultCallerId } = partiesOf(context)
  if (isBarred(context.settings, number)) return verbsPlan(CALL_NOT_ALLOWED(caller?.speech))
  const callerId = caller?.outgoingCallerId ?? defaultCallerId
  if (callerId === undefined) return verbsPlan(NO_CALLER_ID(caller?.speech))
  const isCounted = context.call.isCounted === true
  if (!isCounted && context.facts.isLimitReached) return verbsPlan(CALL_NOT_ALLOWED(caller?.speech))
  const wanted = { number, callerId, isRecorded: caller?.recordsCalls === true, isWhatsApp: false }
  const plan = verbsPlan([outsideDial(wanted, context.settings, (kind) => reportUrl(context, kind))])
  return isCounted ? plan : { ...plan, counts: caller?.login ?? NO_USER }
}

interface OutsideCall {
  readonly number: string
  readonly callerId: string
  readonly isRecorded: boolean
  readonly isWhatsApp: boolean
}

/** Dials a number outside. `urlOf` says where a kind of report goes. */
export function outsideDial(
  { number, callerId, isRecorded, isWhatsApp }: OutsideCall,
  { callDurationLimitSeconds: limit }: { readonly callDurationLimitSeconds: number },
  urlOf: (kind: 'callstatus' | 'recordingstatus') => string,
): Verb {
  const recording = { mode: 'record-from-answer', statusCallback: urlOf('recordingstatus') } as const
  const options = {
    callerId: isWhatsApp ? `whatsapp:${callerId}` : callerId,
    timeoutSeconds: RING_SECONDS,
    timeLimitSeconds: limit > 0 ? limit : undefined,
    recording: isRecorded ? recording : undefined,
  }
  const status = { url: urlOf('callstatus'), events: ['initiated', 'answered', 'completed'] } as const
  return dial(options, [isWhatsApp ? whatsApp({ number, status }) : numberNoun({ number, status })])
}
