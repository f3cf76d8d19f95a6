import type { Database } from '../src/database/database.ts'
import { type BenchDatabases, countRows } from './databases.ts'
import type { Load, LoadOrder, LoadResult } from './load.ts'
import type { BenchRoute } from './route.ts'
import type { Measured } from './sides.ts'

/** What became of the requests of one turn. */
export interface Metered extends LoadResult {
  processorMs: number
}

/** One side under load: keeps count of what was sent to it. */
export class Meter {
  readonly sent: Record<string, number> = {}
  failed = 0
  /** Resident memory after a turn, at most. */
  memoryMb = 0
  readonly #side: Measured
  readonly #load: Load
  readonly #loaded: LoadOrder['loaded']
  readonly #rowsBefore: Readonly<Record<string, number>>
  #next: number

  /** `first` is the number of its first request: no number may have been used on this database before. */
  constructor(side: Measured, load: Load, { loaded, rowsBefore }: BenchDatabases, first = 1) {
    this.#next = first
    this.#rowsBefore = rowsBefore
    this.#side = side
    this.#load = load
    this.#loaded = loaded
  }

  async run(
    order: Pick<LoadOrder, 'routes' | 'connections' | 'seconds' | 'requestsPerSecond' | 'requests'>,
  ): Promise<Metered> {
    const { addresses } = this.#side
    const before = this.#side.processorMs()
    const result = await this.#load.run({ ...order, addresses, loaded: this.#loaded, first: this.#next })
    this.#next = result.next
    this.failed += result.failed
    this.memoryMb = Math.max(this.memoryMb, this.#side.memoryMb())
    for (const [name, count] of Object.entries(result.sent)) this.sent[name] = (this.sent[name] ?? 0) + count
    return { ...result, processorMs: this.#side.processorMs() - before }
  }

  /** Compares the rows in the tables with what was sent; to be asked when the side has stopped. */
  async missingRows(routes: readonly BenchRoute[], open: () => Promise<Database>): Promise<string[]> {
    const wanted = new Map<string, number>()
    for (const route of routes) {
      for (const [table, rows] of Object.entries(route.writes)) {
        wanted.set(table, (wanted.get(table) ?? 0) + rows * (this.sent[route.name] ?? 0))
      }
    }
    const db = await open()
    const problems: string[] = []
    for (const [table, rows] of wanted) {
      const added = (await countRows(db, table)) - (this.#rowsBefore[table] ?? 0)
      if (added !== rows) problems.push(`the service left ${added} rows in ${table} instead of ${rows}`)
    }
    await db.close()
    return problems
  }
}

/** What answers took, in milliseconds. */
export interface Latency {
  p50Ms: number
  p99Ms: number
  slowestMs: number
}

/** Sends requests at a fixed rate; of several routes in turn. */
export async function pace(
  service: Meter,
  {
    routes,
    connections,
    seconds,
    perSecond,
  }: { routes: readonly string[]; connections: number; seconds: number; perSecond: number },
): Promise<Latency> {
  return latencyOf([await service.run({ routes, connections, seconds, requestsPerSecond: perSecond })])
}

/** Of all the answers together. */
export function latencyOf(results: readonly LoadResult[]): Latency {
  const latenciesMs = results.flatMap((result) => result.latenciesMs).sort((a, b) => a - b)
  return {
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
    slowestMs: latenciesMs.at(-1) ?? 0,
  }
}

const PERCENT = 100

export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    50,
  )
}

export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / PERCENT))] ?? Number.NaN
}
