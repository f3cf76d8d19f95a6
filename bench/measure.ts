import type { Database } from '../src/database/database.ts'
import { type BenchDatabases, countRows } from './databases.ts'
import type { Load, LoadOrder, LoadResult } from './load.ts'
import type { BenchRoute } from './route.ts'
import { type Side, startBare, startService } from './sides.ts'

/** How it is measured. */
export interface Plan {
  routes: readonly BenchRoute[]
  connections: number
  seconds: number
  rounds: number
  warmUpSeconds: number
  pacedPerSecond: number
  pacedSeconds: number
  profileFolder: string | undefined
}

/** One route at saturation, both sides. */
export interface Saturation {
  route: string
  servicePerSecond: number
  barePerSecond: number
  ratio: number
  /** Processor time of the process itself for one request; the database's is not in it, unless it is embedded. */
  serviceProcessorMs: number
  bareProcessorMs: number
  p50Ms: number
  p99Ms: number
}

/** The service at a fixed rate. */
export interface Paced {
  route: string
  p50Ms: number
  p99Ms: number
  slowestMs: number
}

export interface DatabaseReport {
  kind: BenchDatabases['kind']
  remark: string
  saturation: Saturation[]
  paced: Paced[]
  serviceMemoryMb: number
  bareMemoryMb: number
  /** What was not as it should be: failed requests, answers that differ, rows missing or twice. */
  problems: string[]
}

const PERCENT = 100

/** Measures both sides on one kind of database, taking turns so that the machine's moods hit both. */
export async function measure(databases: BenchDatabases, plan: Plan, load: Load, say: (text: string) => void) {
  const service = await startService(databases.serviceEnvironment, plan.profileFolder)
  const bare = await startBare({ place: databases.bare, loaded: databases.loaded })
  const sides = { service: new Meter(service, load, databases), bare: new Meter(bare, load, databases) }
  try {
    const report = await measureSides(sides, { databases, plan, say })
    report.serviceMemoryMb = service.memoryMb()
    report.bareMemoryMb = bare.memoryMb()
    await Promise.all([service.stop(), bare.stop()])
    report.problems.push(
      ...(await sides.service.missingRows('the service', plan.routes, databases.openService)),
      ...(await sides.bare.missingRows('the bare loop', plan.routes, databases.openBare)),
    )
    return report
  } finally {
    await Promise.all([service.stop(), bare.stop()])
  }
}

interface Sides {
  service: Meter
  bare: Meter
}

async function measureSides(
  sides: Sides,
  { databases, plan, say }: { databases: BenchDatabases; plan: Plan; say: (text: string) => void },
): Promise<DatabaseReport> {
  const { kind, remark } = databases
  const saturation: Saturation[] = []
  const paced: Paced[] = []
  const problems: string[] = []
  for (const route of plan.routes) problems.push(...(await compareAnswers(sides, route)))
  for (const route of plan.routes) {
    say(`${kind}: ${route.name} at saturation`)
    saturation.push(await saturate(sides, route, plan))
  }
  for (const route of plan.routes) {
    say(`${kind}: ${route.name} at ${plan.pacedPerSecond} requests per second`)
    paced.push(await pace(sides.service, route, plan))
  }
  for (const [name, meter] of Object.entries(sides)) {
    if (meter.failed > 0) problems.push(`${name}: ${meter.failed} requests failed`)
  }
  return { kind, remark, saturation, paced, problems, serviceMemoryMb: 0, bareMemoryMb: 0 }
}

interface Metered extends LoadResult {
  processorMs: number
}

/** One side under load: keeps count of what was sent to it. */
class Meter {
  readonly sent: Record<string, number> = {}
  failed = 0
  readonly #side: Side
  readonly #load: Load
  readonly #loaded: LoadOrder['loaded']
  readonly #rowsBefore: Readonly<Record<string, number>>
  #next = 1

  constructor(side: Side, load: Load, { loaded, rowsBefore }: BenchDatabases) {
    this.#rowsBefore = rowsBefore
    this.#side = side
    this.#load = load
    this.#loaded = loaded
  }

  async run(
    order: Pick<LoadOrder, 'routes' | 'connections' | 'seconds' | 'requestsPerSecond' | 'requests'>,
  ): Promise<Metered> {
    const { address } = this.#side
    const before = this.#side.processorMs()
    const result = await this.#load.run({ ...order, address, loaded: this.#loaded, first: this.#next })
    this.#next = result.next
    this.failed += result.failed
    for (const [name, count] of Object.entries(result.sent)) this.sent[name] = (this.sent[name] ?? 0) + count
    return { ...result, processorMs: this.#side.processorMs() - before }
  }

  /** Compares the rows in the tables with what was sent; to be asked when the side has stopped. */
  async missingRows(name: string, routes: readonly BenchRoute[], open: () => Promise<Database>): Promise<string[]> {
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
      if (added !== rows) problems.push(`${name} left ${added} rows in ${table} instead of ${rows}`)
    }
    await db.close()
    return problems
  }
}

/** Both sides must give the same kind of answer, or they do not do the same work. */
async function compareAnswers({ service, bare }: Sides, { name }: BenchRoute): Promise<string[]> {
  const order = { routes: [name], connections: 1, seconds: 1, requests: 1 }
  const [ours, theirs] = [await service.run(order), await bare.run(order)].map(({ sample }) => shapeOf(sample.body))
  return ours === theirs ? [] : [`${name}: the service answers ${ours}, the bare loop ${theirs}`]
}

/** What kind of answer it is: the elements of markup, the fields of JSON, a number, or the text itself. */
function shapeOf(body: string): string {
  if (body.startsWith('<')) return (body.match(/<\w+/g) ?? []).join(' ')
  if (body.startsWith('{')) return Object.keys(JSON.parse(body)).sort().join(', ')
  return /^\d+$/.test(body) ? 'a number' : body || 'nothing'
}

async function saturate({ service, bare }: Sides, { name }: BenchRoute, plan: Plan): Promise<Saturation> {
  const order = { routes: [name], connections: plan.connections }
  for (const side of [service, bare]) await side.run({ ...order, seconds: plan.warmUpSeconds })
  const results: { service: Metered[]; bare: Metered[] } = { service: [], bare: [] }
  for (let round = 0; round < plan.rounds; round += 1) {
    results.service.push(await service.run({ ...order, seconds: plan.seconds }))
    results.bare.push(await bare.run({ ...order, seconds: plan.seconds }))
  }
  const latenciesMs = results.service.flatMap((result) => result.latenciesMs).sort((a, b) => a - b)
  const [servicePerSecond, barePerSecond] = [median(results.service.map(rate)), median(results.bare.map(rate))]
  return {
    route: name,
    servicePerSecond,
    barePerSecond,
    ratio: servicePerSecond / barePerSecond,
    serviceProcessorMs: processorMs(results.service),
    bareProcessorMs: processorMs(results.bare),
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  }
}

async function pace(service: Meter, { name }: BenchRoute, plan: Plan): Promise<Paced> {
  const { latenciesMs } = await service.run({
    routes: [name],
    connections: plan.connections,
    seconds: plan.pacedSeconds,
    requestsPerSecond: plan.pacedPerSecond,
  })
  latenciesMs.sort((a, b) => a - b)
  return {
    route: name,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
    slowestMs: latenciesMs.at(-1) ?? 0,
  }
}

function rate({ inTime, seconds }: LoadResult): number {
  return inTime / seconds
}

function processorMs(results: readonly Metered[]): number {
  const requests = results.reduce((total, result) => total + result.latenciesMs.length, 0)
  return results.reduce((total, result) => total + result.processorMs, 0) / requests
}

function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    50,
  )
}

function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / PERCENT))] ?? Number.NaN
}
