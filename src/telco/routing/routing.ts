import { withinDeadline } from '../../deliveries/webhooks/deadline.ts'
import type { Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { asError } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { answerProblem } from '../markup/document.ts'
import { MarkupTooLargeError } from '../markup/verb.ts'
import type { Answering, RoutingContext } from '../webhooks/answering.ts'
import { markupReply } from '../webhooks/replies.ts'
import type { TelcoRequest } from '../webhooks/request.ts'
import { callOfRequest, contextOf, type RouteContext } from './decide/context.ts'
import { fallbackPlan, orFallback } from './decide/destination.ts'
import { MissingFact } from './decide/loaded.ts'
import { type CallPlan, withEffects } from './decide/plan.ts'
import { SORRY } from './decide/sentences.ts'
import { carryOut } from './effects.ts'
import { loadFact } from './load/load.ts'
import { type RenderedPlan, renderPlan } from './render/render-plan.ts'

/** Decides what a call gets: pure, from the context alone. */
export type Route = (context: RouteContext, request: TelcoRequest) => CallPlan

/**
 * Answers a call with markup. In two phases: inside one transaction it is decided what the call gets; what has to be asked of
 * others for it is asked afterwards, so that a slow platform holds no connection to the database. Throws only what the
 * database threw.
 */
export async function routeCall(
  route: Route,
  { context: routing, open, request, recorded }: Answering,
): Promise<Reply> {
  const rendered = await open((env) => {
    const start = contextOf(callOfRequest(request, recorded.callId), env, request.query)
    return decideAndRender(env, start, (context) => orFallback(context, () => route(context, request)))
  })
  return markupReply(await finish(rendered, routing))
}

type Decide = (context: RouteContext) => CallPlan

/** Decides, carries out what the plan sets off, and renders it. What is too long to be an answer is a failure like others. */
export async function decideAndRender(env: Env, context: RouteContext, decide: Decide): Promise<RenderedPlan> {
  const plan = await loadAndDecide(env, context, decide)
  carryOut(env, plan.effects)
  return renderUnlessTooLong(plan, async (error) => {
    const failed = { does: 'log-error', callSid: context.call.sid, error } as const
    const decideFallback: Decide = (inside) => withEffects([failed], () => fallbackPlan(inside, { verbs: SORRY }))
    const fallback = await loadAndDecide(env, context, decideFallback)
    carryOut(env, fallback.effects)
    // When that is too long as well, only a sentence is left.
    return renderUnlessTooLong(fallback, async () =>
      renderPlan(await loadAndDecide(env, { ...context, isFallback: true }, decideFallback)),
    )
  })
}

/** The plan of a decision: whatever it misses is loaded, and it is taken again (docs/decisions/0021-load-decide-render.md). */
async function loadAndDecide(env: Env, context: RouteContext, decide: Decide): Promise<CallPlan> {
  for (;;) {
    try {
      return decide(context)
    } catch (thrown) {
      if (!(thrown instanceof MissingFact)) throw thrown
      context.loaded.set(thrown.need, await loadFact(env, thrown.need, context.call))
    }
  }
}

async function renderUnlessTooLong(
  plan: CallPlan,
  instead: (error: MarkupTooLargeError) => Promise<RenderedPlan>,
): Promise<RenderedPlan> {
  try {
    return renderPlan(plan)
  } catch (thrown) {
    if (thrown instanceof MarkupTooLargeError) return instead(thrown)
    throw thrown
  }
}

/** Half of our own deadline for a voice request, which the transaction before it has begun to use up. */
const REGISTER_TIMEOUT_MS = 4_000

/** The markup of the plan. An agent's platform that refuses, is silent or answers nonsense is replaced by its SIP way. */
async function finish(plan: RenderedPlan, { connector, log }: RoutingContext): Promise<string> {
  if (plan.kind === 'markup') return plan.markup
  if (connector === undefined) return plan.otherwise
  try {
    const registered = connector.registerCall(plan.call, REGISTER_TIMEOUT_MS)
    const markup = await withinDeadline(registered, REGISTER_TIMEOUT_MS)
    if (markup === undefined) return plan.otherwise
    const problem = answerProblem(markup)
    if (problem === undefined) return markup
    log.warn({ callSid: plan.call.callSid, problem }, 'the agent platform answered markup that cannot be used')
  } catch (error) {
    log.warn({ err: asError(error), callSid: plan.call.callSid }, 'the agent platform did not take the call')
  }
  return plan.otherwise
}
