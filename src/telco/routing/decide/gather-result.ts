import { recordIdOf, type TelcoRequest } from '../../webhooks/request.ts'
import { findCallflow } from '../load/callflow.ts'
import { renderFlow } from '../render-callflow.ts'
import { renderExtensionById } from '../render-extension.ts'
import type { Rendering } from '../rendering.ts'
import { matchChoice } from './match-choice.ts'
import { type CallPlan, UnrenderableError } from './plan.ts'
import { CALLFLOW_NOT_FOUND } from './sentences.ts'

/**
 * What a caller pressed or said in a call flow: the branch it means, or the question again
 * (docs/reference/domain.md#call-flows).
 */
export async function gatherResult(rendering: Rendering, request: TelcoRequest): Promise<CallPlan> {
  const { form } = request
  const flowId = recordIdOf(request)
  const flow = await findCallflow(rendering.env, flowId)
  if (flow === undefined) throw new UnrenderableError(`there is no call flow ${flowId}`, { markup: CALLFLOW_NOT_FOUND })
  const choice = matchChoice(flow.choices, { digits: form.Digits ?? '', speech: form.SpeechResult ?? '' })
  if (choice !== undefined) return renderExtensionById({ ...rendering, speech: flow.speech }, choice.exten)
  const invalidRounds = rendering.invalidRounds + 1
  const entry = invalidRounds < flow.roundsMax ? 'again' : 'without-input'
  return renderFlow({ ...rendering, invalidRounds }, flow, entry)
}
