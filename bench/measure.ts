import type { LedgerSize } from './compare-ledgers.ts'
import type { BenchDatabases } from './databases.ts'
import type { Load, LoadResult } from './load.ts'
import { Meter, type Metered, median, type Paced, pace, percentile } from './meter.ts'
import type { BenchRoute } from './route.ts'
import { startBare, startService } from './sides.ts'

/** How it is measured. */
export interface Plan {
  routes: readonly BenchRoute[]
  connections: number
  seconds: number
  rounds: number
  warmUpSeconds: number
  /** By kind of database. */
  pacedPerSecond: Readonly<Record<BenchDatabases['kind'], number>>
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

export interface DatabaseReport {
  kind: BenchDatabases['kind']
  remark: string
  saturation: Saturation[]
  paced: Paced[]
  /** With an empty ledger next to the loaded one; none unless it was asked for. */
  ledgerSizes: LedgerSize[]
  serviceMemoryMb: number
  bareMemoryMb: number
  /** What was not as it should be: failed requests, answers that differ, rows missing or twice. */
  problems: string[]
}

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
    const perSecond = plan.pacedPerSecond[kind]
    say(`${kind}: ${route.name} at ${perSecond} requests per second`)
    const order = { connections: plan.connections, seconds: plan.pacedSeconds, perSecond }
    paced.push(await pace(sides.service, route, order))
  }
  for (const [name, meter] of Object.entries(sides)) {
    if (meter.failed > 0) problems.push(`${name}: ${meter.failed} requests failed`)
  }
  return { kind, remark, saturation, paced, ledgerSizes: [], problems, serviceMemoryMb: 0, bareMemoryMb: 0 }
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

function rate({ inTime, seconds }: LoadResult): number {
  return inTime / seconds
}

function processorMs(results: readonly Metered[]): number {
  const requests = results.reduce((total, result) => total + result.latenciesMs.length, 0)
  return results.reduce((total, result) => total + result.processorMs, 0) / requests
}
