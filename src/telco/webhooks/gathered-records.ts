import type { Database } from '../../database/database.ts'
import { MicroBatch } from '../../database/micro-batch.ts'
import type { OpenEnv } from '../../platform/access/env.ts'
import type { Recorded } from './answering.ts'
import type { TelcoRequest } from './request.ts'
import type { TelcoRow } from './table.ts'

/** What became of one request, and whether it is to be traced. */
export interface RecordedRequest {
  readonly recorded: Recorded
  readonly isDebugging: boolean
}

/** Of one route, on a server: with one on its way, and one being made. */
const BATCHES_AT_ONCE = 2

const NOT_RECORDED: RecordedRequest = { recorded: {}, isDebugging: false }

/** A request that is to be recorded, and how a transaction is opened for it. */
export interface WaitingRequest {
  readonly open: OpenEnv
  readonly request: TelcoRequest
}

/**
 * Records what requests of one route say: while one batch is in the database, those that arrive gather, and the next
 * transaction takes them all. A request that finds nobody waiting is recorded at once. Each is answered after the commit
 * that contains it; a batch that fails is recorded one by one, so that one bad request harms nobody.
 */
export class GatheredRecords {
  readonly #batches = new Map<string, MicroBatch<WaitingRequest, RecordedRequest>>()
  readonly #concurrency: number

  constructor(kind: Database['kind']) {
    this.#concurrency = kind === 'embedded' ? 1 : BATCHES_AT_ONCE
  }

  record(row: TelcoRow, waiting: WaitingRequest): Promise<RecordedRequest> {
    if (row.gathers !== true) return recordAlone(row, waiting)
    const batch = this.#batches.get(row.path) ?? this.#batchOf(row)
    return batch.add(waiting)
  }

  #batchOf(row: TelcoRow): MicroBatch<WaitingRequest, RecordedRequest> {
    const batch = new MicroBatch<WaitingRequest, RecordedRequest>({
      store: (waiting) => recordTogether(row, waiting),
      concurrency: this.#concurrency,
    })
    this.#batches.set(row.path, batch)
    return batch
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
