import type { Database } from '../../database/database.ts'
import { NamedBatches } from '../../database/named-batches.ts'
import type { OpenEnv } from '../../platform/access/env.ts'
import type { Recorded } from './answering.ts'
import type { TelcoRequest } from './request.ts'
import type { TelcoRow } from './table.ts'

/** What became of one request, and whether it is to be traced. */
export interface RecordedRequest {
  readonly recorded: Recorded
  readonly isDebugging: boolean
}

const NOT_RECORDED: RecordedRequest = { recorded: {}, isDebugging: false }

/** A request that is to be recorded, and how a transaction is opened for it. */
export interface WaitingRequest {
  readonly open: OpenEnv
  readonly request: TelcoRequest
}

/**
 * Records what requests of one route say: while one batch is in the database, those that arrive gather, and the next
 * transaction takes them all. A request that finds nobody waiting is recorded at once. Each is answered after the commit
 * that contains it; a batch that fails is recorded in halves, so that one bad request harms nobody.
 */
export class GatheredRecords {
  readonly #batches: NamedBatches<{ row: TelcoRow; waiting: WaitingRequest }, RecordedRequest>

  constructor(kind: Database['kind']) {
    this.#batches = new NamedBatches(kind, (items) => {
      const waiting = items.map((item) => item.waiting)
      return items[0] === undefined ? Promise.resolve([]) : recordTogether(items[0].row, waiting)
    })
  }

  record(row: TelcoRow, waiting: WaitingRequest): Promise<RecordedRequest> {
    return row.gathers === true ? this.#batches.add(row.path, { row, waiting }) : recordAlone(row, waiting)
  }
}

/** Records what one request says, with no other. */
export async function recordAlone(row: TelcoRow, waiting: WaitingRequest): Promise<RecordedRequest> {
  const [result = NOT_RECORDED] = await recordTogether(row, [waiting])
  return result
}

async function recordTogether(row: TelcoRow, waiting: readonly WaitingRequest[]): Promise<RecordedRequest[]> {
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
    return waiting.map((_each, at) => ({ recorded: results[at] ?? {}, isDebugging }))
  })
}
