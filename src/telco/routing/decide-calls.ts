import { findDialEnds } from '../../ledger/calls/call-updates.ts'
import type { Env } from '../../platform/access/env.ts'
import { MarkupTooLargeError } from '../markup/verb.ts'
import { countOutgoing, NO_USER } from '../outgoing/outgoing-limits.ts'
import type { TelcoRequest } from '../webhooks/request.ts'
import {
  callOfRequest,
  contextOf,
  NO_FACTS,
  type RouteContext,
  type RoutedCall,
  type RoutingSettings,
} from './decide/context.ts'
import { fallbackPlan, orFallback } from './decide/destination.ts'
import { type CallPlan, withEffects } from './decide/plan.ts'
import { SORRY } from './decide/spoken-endings.ts'
import type { DialPlan } from './dial-plan.ts'
import { carryOut } from './effects.ts'
import { type RenderedPlan, renderPlan } from './render/render-plan.ts'
import { findRoutingFacts } from './routing-facts.ts'

/** Decides what a call gets: pure, from the context alone. */
export type Route = (context: RouteContext, request: TelcoRequest) => CallPlan

/** A call about which it is to be decided what it gets. */
interface UndecidedCall {
  readonly call: RoutedCall
  /** Of the address that was asked; state that travels with the call is in it. */
  readonly query?: URLSearchParams
  decide(context: RouteContext): CallPlan
}

/** The call of a request, which gets something in any case: where it cannot be connected, what stands in for that. */
export function undecidedCall(request: TelcoRequest, callId: number | undefined, route: Route): UndecidedCall {
  return {
    call: callOfRequest(request, callId),
    query: request.query,
    decide: (context) => orFallback(context, () => route(context, request)),
  }
}

/**
 * Decides what calls get by this dial plan, carries out what that sets off, and renders it, in the order given: what is read and
 * written for several is one statement. Of two requests of one call the second is decided when what the first one set off is
 * written.
 */
export async function decideCalls(env: Env, plan: DialPlan, calls: readonly UndecidedCall[]): Promise<RenderedPlan[]> {
  const rendered = new Map<UndecidedCall, RenderedPlan>()
  for (const turn of turnsOf(calls)) {
    for (const [at, decided] of (await decideTurn(env, plan, turn)).entries()) {
      rendered.set(turn[at] as UndecidedCall, decided)
    }
  }
  return calls.map((call) => rendered.get(call) as RenderedPlan)
}

/** The same of one call. */
export async function decideCall(env: Env, plan: DialPlan, call: UndecidedCall): Promise<RenderedPlan> {
  const [decided] = await decideCalls(env, plan, [call])
  return decided as RenderedPlan
}

/**
 * What a call gets that could not be recorded, as while the database is away: by the plan alone, without what the ledger knows of it, and nothing is set off. An
 * agent's platform is not asked: what the call gets instead is in the plan. A stranger's call is not connected to a number of their
 * choice, for nobody counts it; a mobile that somebody here has entered is rung.
 */
export function decideFromMemory(
  { plan, settings, now }: { plan: DialPlan; settings: RoutingSettings; now: Date },
  call: UndecidedCall,
): string {
  const context = contextOf(call.call, { plan, settings, now }, call.query)
  const decided = call.decide(context)
  const isStranger = decided.counts === NO_USER && decided.isEntered !== true
  const allowed = isStranger ? call.decide({ ...context, facts: { ...NO_FACTS, isLimitReached: true } }) : decided
  const rendered = renderInFull({ context, decide: call.decide }, allowed).rendered
  return rendered.kind === 'markup' ? rendered.markup : rendered.otherwise
}

/** The calls in turns, in each of which a call of the ledger is named once. */
function turnsOf(calls: readonly UndecidedCall[]): UndecidedCall[][] {
  const turns: UndecidedCall[][] = []
  const turnOf = new Map<number, number>()
  for (const call of calls) {
    const { callId } = call.call
    const turn = callId === undefined ? 0 : (turnOf.get(callId) ?? 0)
    if (callId !== undefined) turnOf.set(callId, turn + 1)
    turns[turn] = [...(turns[turn] ?? []), call]
  }
  return turns
}

/** A decision with everything that it is made from. */
interface Decision {
  readonly context: RouteContext
  decide(context: RouteContext): CallPlan
}

async function decideTurn(env: Env, plan: DialPlan, calls: readonly UndecidedCall[]): Promise<RenderedPlan[]> {
  const decisions = await withFacts(env, plan, calls)
  const plans = await countCalls(
    env,
    decisions,
    decisions.map(({ context, decide }) => decide(context)),
  )
  const inFull = decisions.map((decision, at) => renderInFull(decision, plans[at] as CallPlan))
  carryOut(env, inFull)
  return inFull.map(({ rendered }) => rendered)
}

async function withFacts(env: Env, plan: DialPlan, calls: readonly UndecidedCall[]): Promise<Decision[]> {
  const ends = calls.flatMap(({ call: { callId, dialledLeg } }) =>
    callId === undefined || dialledLeg === '' ? [] : [{ call: callId, leg: dialledLeg }],
  )
  // The calls stay locked from here on, so that the same report twice at a time is answered one after the other.
  const known = (await findDialEnds(env.db, ends)).values()
  const facts = await findRoutingFacts(
    env.db,
    calls.flatMap(({ call: { callId } }) => callId ?? []),
  )
  return calls.map(({ call, query, decide }) => {
    const { callId, dialledLeg } = call
    const end = callId === undefined || dialledLeg === '' ? undefined : known.next().value
    const ofCall = { ...NO_FACTS, ...facts.get(callId ?? 0), dialEnd: end?.step, dialled: end?.called }
    return { context: contextOf(call, { plan, settings: env.settings, now: env.now, facts: ofCall }, query), decide }
  })
}

/** Counts the calls that go outside; one that is one too many for the day is decided as that. */
async function countCalls(
  env: Env,
  decisions: readonly Decision[],
  plans: readonly CallPlan[],
): Promise<readonly CallPlan[]> {
  const outside = plans.flatMap(({ counts, times = 1 }, at) =>
    counts === undefined ? [] : Array.from({ length: times }, () => ({ at, user: counts })),
  )
  if (outside.length === 0) return plans
  const reached = await countOutgoing(env, { kind: 'call', users: outside.map(({ user }) => user) })
  const counted: CallPlan[] = [...plans]
  for (const [nth, { at }] of outside.entries()) {
    const decision = decisions[at]
    if (reached[nth] === undefined || decision === undefined) continue
    const { context, decide } = decision
    counted[at] = decide({ ...context, facts: { ...context.facts, isLimitReached: true } })
  }
  return counted
}

/** The plan as it is answered, and what it sets off. An answer that is too long to be one is replaced, in the end by a sentence. */
function renderInFull(decision: Decision, plan: CallPlan): { rendered: RenderedPlan; effects: CallPlan['effects'] } {
  const { context } = decision
  const first = renderUnlessTooLong(plan)
  if (!(first instanceof MarkupTooLargeError)) return { rendered: first, effects: plan.effects }
  const logged = [{ does: 'log-error', callSid: context.call.sid, error: first }] as const
  const shorter = withEffects(logged, () => decideFallback(context))
  const effects = [...plan.effects, ...shorter.effects]
  const second = renderUnlessTooLong(shorter)
  if (!(second instanceof MarkupTooLargeError)) return { rendered: second, effects }
  const sentence = decideFallback({ ...context, isFallback: true })
  return { rendered: renderPlan(sentence), effects: [...effects, ...sentence.effects] }
}

function decideFallback(context: RouteContext): CallPlan {
  return fallbackPlan(context, { verbs: SORRY })
}

function renderUnlessTooLong(plan: CallPlan): RenderedPlan | MarkupTooLargeError {
  try {
    return renderPlan(plan)
  } catch (thrown) {
    if (thrown instanceof MarkupTooLargeError) return thrown
    throw thrown
  }
}
