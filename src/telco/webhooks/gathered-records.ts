import type { Database } from '../../database/database.ts'
import { NamedBatches } from '../../database/micro-batch.ts'
import type { Env, OpenEnv } from '../../platform/access/env.ts'
import { decideCalls, undecidedCall } from '../routing/decide-calls.ts'
import type { DialPlan } from '../routing/dial-plan.ts'
import type { RenderedPlan } from '../routing/render/render-plan.ts'
import type { Recorded } from './answering.ts'
import type { TelcoRequest } from './request.ts'
import type { TelcoRow } from './table.ts'

/** What became of one request, and whether it is to be traced. */
export interface RecordedRequest {
  readonly recorded: Recorded
  /** What the call of the request gets, on a route that answers calls. */
  readonly plan?: RenderedPlan | undefined
  readonly isDebugging: boolean
}

/** The dial plan by which a transaction routes. */
type PlanInForce = (env: Env) => Promise<DialPlan>

const NOT_RECORDED: RecordedRequest = { recorded: {}, isDebugging: false }

/** A request that is to be recorded, and how a transaction is opened for it. */
export interface WaitingRequest {
  readonly open: OpenEnv
  readonly request: TelcoRequest
}

/**
 * Records what requests of one route say, and decides what their calls get: while one batch is in the database, those that
 * arrive gather, and the next transaction takes them all. A request that finds nobody waiting is recorded at once. Each is
 * answered after the commit that contains it; a batch that fails is recorded in halves, so that one bad request harms nobody.
 */
export class GatheredRecords {
  readonly #batches: NamedBatches<{ row: TelcoRow; waiting: WaitingRequest }, RecordedRequest>
  readonly #plan: PlanInForce

  constructor(kind: Database['kind'], plan: PlanInForce) {
    this.#plan = plan
    this.#batches = new NamedBatches(kind, (items) => {
      const waiting = items.map((item) => item.waiting)
      return items[0] === undefined ? Promise.resolve([]) : recordTogether(items[0].row, waiting, plan)
    })
  }

  recordRequest(row: TelcoRow, waiting: WaitingRequest): Promise<RecordedRequest> {
    return row.gathers === true ? this.#batches.add(row.path, { row, waiting }) : recordAlone(row, waiting, this.#plan)
  }
}

/** Records what one request says, with no other. */
export async function recordAlone(row: TelcoRow, waiting: WaitingRequest, plan: PlanInForce): Promise<RecordedRequest> {
  const [result = NOT_RECORDED] = await recordTogether(row, [waiting], plan)
  return result
}

async function recordTogether(
  row: TelcoRow,
  waiting: readonly WaitingRequest[],
  plan: PlanInForce,
): Promise<RecordedRequest[]> {
  const [first] = waiting
  if (row.record === undefined || first === undefined) return waiting.map(() => NOT_RECORDED)
  // Every request of a route is worked on as the same user and with the settings of the process.
  return first.open(async (env) => {
    const results =
      (await row.record?.(
        env,
        waiting.map(({ request }) => request),
      )) ?? []
    const { isDebugging } = env.settings
    const recorded = waiting.map(({ request }, at) => ({ request, recorded: results[at] ?? {} }))
    const plans = await decidePlans(env, row, recorded, plan)
    return recorded.map((each) => ({ recorded: each.recorded, plan: plans.get(each.request), isDebugging }))
  })
}

/** What the calls of these requests get, by the request: nothing on a route that answers no calls. */
async function decidePlans(
  env: Env,
  row: TelcoRow,
  recorded: readonly { request: TelcoRequest; recorded: Recorded }[],
  plan: PlanInForce,
): Promise<Map<TelcoRequest, RenderedPlan>> {
  const routed = recorded.flatMap(({ request, recorded: { callId } }) => {
    const route = row.route?.(request)
    return route === undefined ? [] : [{ request, call: undecidedCall(request, callId, route) }]
  })
  if (routed.length === 0) return new Map()
  const decided = await decideCalls(
    env,
    await plan(env),
    routed.map(({ call }) => call),
  )
  return new Map(routed.map(({ request }, at) => [request, decided[at] as RenderedPlan]))
}
