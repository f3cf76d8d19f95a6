import type { Env } from '../../platform/access/env.ts'
import { MarkupTooLargeError } from '../markup/verb.ts'
import type { RouteContext } from './decide/context.ts'
import { fallbackPlan } from './decide/destination.ts'
import { MissingFact, type Need } from './decide/loaded.ts'
import { type CallPlan, withEffects } from './decide/plan.ts'
import { SORRY } from './decide/sentences.ts'
import { carryOut } from './effects.ts'
import { loadFacts } from './load/load.ts'
import { type RenderedPlan, renderPlan } from './render/render-plan.ts'

/** A call about which it is to be decided what it gets: pure, from what is loaded in the context alone. */
export interface UndecidedCall {
  readonly context: RouteContext
  decide(context: RouteContext): CallPlan
}

/**
 * Decides what calls get, carries out what that sets off, and renders it, in the order given: whatever several decisions miss
 * is loaded by one statement, what they set off is written by one. Of two requests of one call the second is decided when
 * what the first one set off is written.
 */
export async function decideCalls(env: Env, calls: readonly UndecidedCall[]): Promise<RenderedPlan[]> {
  const rendered = new Map<UndecidedCall, RenderedPlan>()
  for (const turn of turnsOf(calls)) {
    const plans = await decideTurn(env, turn)
    for (const [at, call] of turn.entries()) rendered.set(call, plans[at] as RenderedPlan)
  }
  return calls.map((call) => rendered.get(call) as RenderedPlan)
}

/** The same of one call. */
export async function decideCall(env: Env, call: UndecidedCall): Promise<RenderedPlan> {
  const [plan] = await decideCalls(env, [call])
  return plan as RenderedPlan
}

/** The calls in turns, in each of which a call of the ledger is named once. */
function turnsOf(calls: readonly UndecidedCall[]): UndecidedCall[][] {
  const turns: UndecidedCall[][] = []
  const turnOf = new Map<number, number>()
  for (const call of calls) {
    const { callId } = call.context.call
    const turn = callId === undefined ? 0 : (turnOf.get(callId) ?? 0)
    if (callId !== undefined) turnOf.set(callId, turn + 1)
    turns[turn] = [...(turns[turn] ?? []), call]
  }
  return turns
}

/** What is decided instead of an answer that is too long to be one, and instead of that. */
const SHORTER: readonly ((call: UndecidedCall, error: MarkupTooLargeError) => UndecidedCall)[] = [
  ({ context }, error) => ({
    context,
    decide: (inside) =>
      withEffects([{ does: 'log-error', callSid: context.call.sid, error }], () => decideFallback(inside)),
  }),
  // Only a sentence is left.
  ({ context }) => ({ context: { ...context, isFallback: true }, decide: decideFallback }),
]

function decideFallback(context: RouteContext): CallPlan {
  return fallbackPlan(context, { verbs: SORRY })
}

async function decideTurn(env: Env, calls: readonly UndecidedCall[], shorter = SHORTER): Promise<RenderedPlan[]> {
  const plans = await loadAndDecide(env, calls)
  carryOut(env, plans)
  const rendered = plans.map(renderUnlessTooLong)
  const [shorten, ...evenShorter] = shorter
  const instead = calls.flatMap((call, at) => {
    const error = rendered[at]
    if (!(error instanceof MarkupTooLargeError)) return []
    if (shorten === undefined) throw error
    return shorten(call, error)
  })
  const others = (instead.length === 0 ? [] : await decideTurn(env, instead, evenShorter)).values()
  return rendered.map((plan) => (plan instanceof MarkupTooLargeError ? (others.next().value as RenderedPlan) : plan))
}

function renderUnlessTooLong(plan: CallPlan): RenderedPlan | MarkupTooLargeError {
  try {
    return renderPlan(plan)
  } catch (thrown) {
    if (thrown instanceof MarkupTooLargeError) return thrown
    throw thrown
  }
}

/** What a decision asks for once it has this: it is loaded with it, instead of in one more round. */
const NEXT: { readonly [What in Need['what']]?: readonly Need[] } = {
  // Whoever rings somebody shows who calls.
  user: [{ what: 'parties', key: 'of the call' }],
}

/** The plan of each call: whatever decisions miss is loaded, and they are taken again (docs/decisions/0021-load-decide-render.md). */
async function loadAndDecide(env: Env, calls: readonly UndecidedCall[]): Promise<CallPlan[]> {
  const plans: CallPlan[] = []
  let undecided = calls.map((call, at) => ({ call, at }))
  while (undecided.length > 0) {
    const missing = undecided.flatMap(({ call, at }) => {
      const decided = decideOrMiss(call)
      if (decided instanceof MissingFact) return { call, at, need: decided.need }
      plans[at] = decided
      return []
    })
    const needs = missing.flatMap(({ call: { context }, need }) =>
      [need, ...(NEXT[need.what] ?? [])]
        .filter((each) => !context.loaded.has(each))
        .map((each) => ({ need: each, call: context.call, loaded: context.loaded })),
    )
    const facts = await loadFacts(env, needs)
    for (const [nth, { loaded, need }] of needs.entries()) loaded.set(need, facts[nth])
    undecided = missing
  }
  return plans
}

function decideOrMiss({ context, decide }: UndecidedCall): CallPlan | MissingFact {
  try {
    return decide(context)
  } catch (thrown) {
    if (thrown instanceof MissingFact) return thrown
    throw thrown
  }
}
