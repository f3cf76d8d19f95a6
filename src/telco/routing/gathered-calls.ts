import type { Database } from '../../database/database.ts'
import { NamedBatches } from '../../database/named-batches.ts'
import type { OpenEnv } from '../../platform/access/env.ts'
import type { TelcoRequest } from '../webhooks/request.ts'
import { callOfRequest, contextOf, type RouteContext } from './decide/context.ts'
import { orFallback } from './decide/destination.ts'
import type { CallPlan } from './decide/plan.ts'
import { decideCalls, type UndecidedCall } from './decide-calls.ts'
import type { RenderedPlan } from './render/render-plan.ts'

/** Decides what a call gets: pure, from the context alone. */
export type Route = (context: RouteContext, request: TelcoRequest) => CallPlan

/** A call that is to be answered, and how a transaction is opened for it. */
export interface WaitingCall {
  readonly open: OpenEnv
  readonly request: TelcoRequest
  /** The ledger's call, when it is known. */
  readonly callId: number | undefined
  readonly route: Route
}

/**
 * Decides what calls get that come in by one route: while one batch is in the database, those that arrive gather, and the next
 * transaction takes them all. A call that finds nobody waiting is decided at once. Each is answered after the commit of what
 * its answer sets off; a batch that fails is decided in halves, so that no call fails for another.
 */
export class GatheredCalls {
  readonly #batches: NamedBatches<WaitingCall, RenderedPlan>

  constructor(kind: Database['kind']) {
    this.#batches = new NamedBatches(kind, decideTogether)
  }

  /** `path`: of the route. Throws only what the database threw. */
  decide(path: string, waiting: WaitingCall): Promise<RenderedPlan> {
    return this.#batches.add(path, waiting)
  }
}

/** Decides what one call gets, with no other. */
export async function decideAlone(waiting: WaitingCall): Promise<RenderedPlan> {
  const [plan] = await decideTogether([waiting])
  return plan as RenderedPlan
}

async function decideTogether(waiting: readonly WaitingCall[]): Promise<RenderedPlan[]> {
  const [first] = waiting
  if (first === undefined) return []
  // Every call is answered as the same user and with the settings of the process.
  return first.open((env) =>
    decideCalls(
      env,
      waiting.map((each) => undecided(each, env)),
    ),
  )
}

function undecided(
  { request, callId, route }: WaitingCall,
  env: Pick<RouteContext, 'settings' | 'now'>,
): UndecidedCall {
  return {
    context: contextOf(callOfRequest(request, callId), env, request.query),
    decide: (context) => orFallback(context, () => route(context, request)),
  }
}
