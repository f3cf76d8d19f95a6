import { recordIdOf, type TelcoRequest } from '../webhooks/request.ts'
import { isCallerGone, isRingingOver, wasConnected } from './decide/dial-outcome.ts'
import { type CallPlan, type Excuse, markupPlan, verbsPlan } from './decide/plan.ts'
import { HANG_UP, SORRY, UNANSWERED } from './decide/sentences.ts'
import { fallbackPlan } from './fallback.ts'
import { findCallflow } from './load/callflow.ts'
import { type DialEnd, findDialEnd } from './load/dial-ends.ts'
import { foldSteps, forgetWalk, parseDoneSteps } from './load/ring-attempts.ts'
import { findRingingUser, type RingingUser } from './load/ringing-user.ts'
import { findAgentFallback } from './render-agent.ts'
import { unansweredVerbs } from './render-callflow.ts'
import { renderNextStep, renderStepAgain } from './render-user.ts'
import type { Rendering } from './rendering.ts'

/**
 * After one phone of a user rang: the next one, until somebody talked or the caller went
 * (docs/reference/domain.md#call-actions).
 */
export async function userCallAction(rendering: Rendering, request: TelcoRequest): Promise<CallPlan> {
  const { env, call } = rendering
  const { form, query } = request
  const userId = recordIdOf(request)
  if (isRingingOver(form)) {
    forgetWalk(env, call.callId)
    return markupPlan(HANG_UP)
  }
  const end = await findDialEnd(rendering, form)
  const steps = parseDoneSteps(query)
  if (call.callId !== undefined && !end.isRepeated) foldSteps(env, { call: call.callId, user: userId, steps })
  const user = await findRingingUser(env, { id: userId, callId: call.callId })
  if (user === undefined) return standIn(rendering, end, { markup: SORRY })
  const plan = await nextPlan(rendering, user, { end, steps })
  if (plan !== undefined) return plan
  if (!end.isRepeated) forgetWalk(env, call.callId)
  return standIn(rendering, end, unanswered(user))
}

/** The next step, or the one that followed when the end of the leg was reported first; undefined when there is none. */
async function nextPlan(
  rendering: Rendering,
  user: RingingUser,
  { end, steps }: { end: DialEnd; steps: readonly number[] },
): Promise<CallPlan | undefined> {
  if (end.isRepeated) return renderStepAgain(rendering, user, end.step)
  const next = await renderNextStep(rendering, user, rendering.call.callId === undefined ? steps : user.tried)
  if (next !== undefined) end.note(next.step)
  return next?.plan
}

/**
 * Whoever was asked for a message, and is back all the same, has been served; anybody else hears that nobody answers.
 */
function unanswered({ steps, speech }: RingingUser): Excuse {
  const takesMessages = steps.some(({ type }) => type === 'voicemail')
  return takesMessages ? { markup: () => HANG_UP } : { markup: UNANSWERED, speech }
}

/**
 * After the phones of a flow rang together, or it had nobody to ring: voicemail or fall-back, unless somebody talked.
 */
export async function callflowCallAction(rendering: Rendering, request: TelcoRequest): Promise<CallPlan> {
  const { form } = request
  const flowId = recordIdOf(request)
  if (wasConnected(form)) return markupPlan(HANG_UP)
  const flow = await findCallflow(rendering.env, flowId)
  const voicemail = flow === undefined ? undefined : unansweredVerbs(rendering, flow)
  if (voicemail !== undefined) return verbsPlan(voicemail)
  const end = await findDialEnd(rendering, form)
  if (flow === undefined) return standIn(rendering, end, { markup: SORRY })
  return standIn(rendering, end, { markup: UNANSWERED, speech: flow.speech, fallback: flow.fallback })
}

/** After a voice agent was called over SIP: what stands in for it, unless the caller talked to it. */
export async function agentCallAction(rendering: Rendering, request: TelcoRequest): Promise<CallPlan> {
  const { form } = request
  const agentId = recordIdOf(request)
  if (wasConnected(form) || isCallerGone(form)) return markupPlan(HANG_UP)
  const fallback = await findAgentFallback(rendering.env, agentId)
  return standIn(rendering, await findDialEnd(rendering, form), { markup: SORRY, fallback })
}

/**
 * What stands in for whoever did not answer; asked for again it is the same, and the phones of it start over no walk.
 */
function standIn(rendering: Rendering, end: DialEnd, excuse: Excuse): Promise<CallPlan> {
  if (!end.isRepeated) end.note()
  return fallbackPlan({ ...rendering, isRepeated: end.isRepeated }, excuse)
}
