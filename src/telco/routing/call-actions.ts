import type { TelcoRequest } from '../webhooks/request.ts'
import { findCallflow } from './callflow.ts'
import { isCallerGone, isRingingOver, wasConnected } from './dial-outcome.ts'
import { fallbackPlan } from './fallback.ts'
import { type CallPlan, markupPlan, verbsPlan } from './plan.ts'
import { findAgentFallback } from './render-agent.ts'
import { unansweredVerbs } from './render-callflow.ts'
import { renderNextStep } from './render-user.ts'
import type { Rendering } from './rendering.ts'
import { foldSteps, forgetWalk, parseDoneSteps } from './ring-walk.ts'
import { findRingingUser } from './ringing-user.ts'
import { HANG_UP, SORRY, UNANSWERED } from './sentences.ts'

/** After one phone of a user rang: the next one, until somebody talked or the caller went (domain.md 2.3.4). */
export async function userCallAction(
  rendering: Rendering,
  userId: number,
  { form, query }: TelcoRequest,
): Promise<CallPlan> {
  const { env, call } = rendering
  if (isRingingOver(form)) {
    forgetWalk(env, call.callId)
    return markupPlan(HANG_UP)
  }
  const steps = parseDoneSteps(query)
  if (call.callId !== undefined) foldSteps(env, { call: call.callId, user: userId, steps })
  const user = await findRingingUser(env, { id: userId, callId: call.callId })
  if (user === undefined) return fallbackPlan(rendering, { markup: SORRY })
  const plan = await renderNextStep(rendering, user, call.callId === undefined ? steps : user.tried)
  if (plan !== undefined) return plan
  forgetWalk(env, call.callId)
  return fallbackPlan(rendering, { markup: HANG_UP })
}

/** After the phones of a flow rang together, or it had nobody to ring: voicemail or fall-back, unless somebody talked. */
export async function callflowCallAction(
  rendering: Rendering,
  flowId: number,
  { form }: TelcoRequest,
): Promise<CallPlan> {
  if (wasConnected(form)) return markupPlan(HANG_UP)
  const flow = await findCallflow(rendering.env, flowId)
  if (flow === undefined) return fallbackPlan(rendering, { markup: SORRY })
  const voicemail = unansweredVerbs(rendering, flow)
  if (voicemail !== undefined) return verbsPlan(voicemail)
  return fallbackPlan(rendering, { markup: UNANSWERED, fallback: flow.fallback })
}

/** After a voice agent was called over SIP: what stands in for it, unless the caller talked to it. */
export async function agentCallAction(
  rendering: Rendering,
  agentId: number,
  { form }: TelcoRequest,
): Promise<CallPlan> {
  if (wasConnected(form) || isCallerGone(form)) return markupPlan(HANG_UP)
  const fallback = await findAgentFallback(rendering.env, agentId)
  return fallbackPlan(rendering, { markup: SORRY, fallback })
}
