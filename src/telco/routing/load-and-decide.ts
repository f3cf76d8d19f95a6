import { asError } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { MarkupTooLargeError } from '../markup/verb.ts'
import type { RouteContext } from './decide/context.ts'
import { fallbackPlan } from './decide/destination.ts'
import { MissingFact } from './decide/loaded.ts'
import { type CallPlan, withEffects } from './decide/plan.ts'
import { SORRY } from './decide/sentences.ts'
import { carryOut } from './effects.ts'
import { loadFact } from './load/load.ts'
import { type RenderedPlan, renderPlan } from './render/render-plan.ts'

type Decide = (context: RouteContext) => CallPlan

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

/** Decides, carries out what the plan sets off, and renders it. What is too long to be an answer is a failure like others. */
export async function decideAndRender(env: Env, context: RouteContext, decide: Decide): Promise<RenderedPlan> {
  const plan = await loadAndDecide(env, context, decide)
  carryOut(env, plan.effects)
  try {
    return renderPlan(plan)
  } catch (thrown) {
    if (!(thrown instanceof MarkupTooLargeError)) throw thrown
    const failed = { does: 'log-error', callSid: context.call.sid, error: asError(thrown) } as const
    return renderFallback(env, context, (inside) => withEffects([failed], () => fallbackPlan(inside, { verbs: SORRY })))
  }
}

/** What stands in for an answer that is too long; when that is too long as well, only a sentence does. */
async function renderFallback(env: Env, context: RouteContext, decide: Decide): Promise<RenderedPlan> {
  const plan = await loadAndDecide(env, context, decide)
  carryOut(env, plan.effects)
  try {
    return renderPlan(plan)
  } catch (thrown) {
    if (!(thrown instanceof MarkupTooLargeError)) throw thrown
    return renderPlan(await loadAndDecide(env, { ...context, isFallback: true }, decide))
  }
}
