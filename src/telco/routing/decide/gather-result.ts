import { recordIdOf, type TelcoRequest } from '../../webhooks/request.ts'
import { flowPlan } from './callflow.ts'
import type { RouteContext } from './context.ts'
import { routeToExtensionById } from './destination.ts'
import { matchChoice } from './match-choice.ts'
import { type CallPlan, UnroutableError } from './plan.ts'
import { CALLFLOW_NOT_FOUND } from './spoken-endings.ts'

/**
 * What a caller pressed or said in a call flow: the branch it means, or the question again
 * (docs/reference/domain.md#call-flows).
 */
export function gatherResult(context: RouteContext, request: TelcoRequest): CallPlan {
  const { form } = request
  const flowId = recordIdOf(request)
  const flow = context.plan.callflows.get(flowId)
  if (flow === undefined) throw new UnroutableError(`there is no call flow ${flowId}`, { verbs: CALLFLOW_NOT_FOUND })
  const choice = matchChoice(flow.choices, {
    digits: form.Digits ?? '',
    speech: form.SpeechResult ?? '',
    language: flow.speech.language,
  })
  if (choice !== undefined) return routeToExtensionById({ ...context, speech: flow.speech }, choice.exten)
  const invalidRounds = context.invalidRounds + 1
  const entry = invalidRounds < flow.roundsMax ? 'again' : 'without-input'
  return flowPlan({ ...context, invalidRounds }, flow, entry)
}
