import type { LedgerSize } from './compare-ledgers.ts'
import type { BenchDatabases } from './databases.ts'
import { type LatencyPoint, measureLatency } from './latency.ts'
import type { Load, LoadResult } from './load.ts'
import { type Latency, latencyOf, Meter, type Metered, median, pace } from './meter.ts'
import type { BenchRoute, DatabaseKind } from './route.ts'
import { type Measured, measureStart, startBare, startService, together } from './sides.ts'

/** How it is measured. */
export interface Plan {
  routes: readonly BenchRoute[]
  /** By kind of database. */
  connections: Readonly<Record<DatabaseKind, number>>
  seconds: number
  rounds: number
  warmUpSeconds: number
  /** Processes of the service, where the database lets it have several. */
  processes: number
  /** By kind of database. */
  pacedPerSecond: Readonly<Record<DatabaseKind, number>>
  pacedSeconds: number
  /** Whether it is measured how latency grows with the load. */
  withLatency: boolean
  profileFolder: string | undefined
}

/** One route at saturation: the service, and both loops. */
export interface Saturation extends Latency {
  route: BenchRoute
  servicePerSecond: number
  barePerSecond: number
  /** Of the service to the loop that does the same SQL. */
  ratio: number
  /** Of the service to the loop that only keeps deliveries. */
  keptShare: number
  /** Processor time of the process itself for one request; the database's is not in it, unless it is embedded. */
  serviceProcessorMs: number
  bareProcessorMs: number
}

/** The service at a fixed rate. */
export interface Paced extends Latency {
  route: BenchRoute
  /** Of requests that come one after the other, each once the last one is answered. */
  loneP50Ms: number
}

export interface DatabaseReport {
  kind: DatabaseKind
  /** Of the service. */
  processes: number
  remark: string
  saturation: Saturation[]
  paced: Paced[]
  /** With an empty ledger next to the loaded one; none unless it was asked for. */
  ledgerSizes: LedgerSize[]
  /** How latency grows with the load; none unless it was asked for. */
  latency: LatencyPoint[]
  /** Of one process, until it listens. */
  startMs: number
  serviceMemoryMb: number
  bareMemoryMb: number
  /** What was not as it should be: failed requests, answers that differ, rows missing or twice. */
  problems: string[]
}

/** Measures the service and both loops on one kind of database, taking turns so that the machine's moods hit all. */
export async function measure(databases: BenchDatabases, plan: Plan, load: Load, say: (text: string) => void) {
  const { loaded } = databases
  const environments = databases.serviceEnvironments(plan.processes)
  const [first] = environments
  // Without its own folder the service would open that of whoever runs the bench.
  if (first === undefined) throw new Error('--processes wants at least one')
  const startMs = await measureStart(first)
  const service = together(await Promise.all(environments.map((each) => startService(each, plan.profileFolder))))
  const bare = await startBare({ place: databases.bare, loaded, does: 'same work' })
  const keep = await startBare({ place: databases.keep, loaded, does: 'keep' })
  const meter = (side: Measured): Meter => new Meter(side, load, databases)
  const sides = { service: meter(service), bare: meter(bare), keep: meter(keep) }
  const stop = () => Promise.all([service, bare, keep].map((side) => side.stop()))
  try {
    const report = { ...(await measureSides(sides, { databases, plan, say })), processes: environments.length, startMs }
    report.serviceMemoryMb = sides.service.memoryMb
    report.bareMemoryMb = sides.bare.memoryMb
    await stop()
    report.problems.push(
      ...(await sides.service.missingRows('the service', plan.routes, databases.openService)),
      ...(await sides.bare.missingRows('the bare loop', plan.routes, databases.openBare)),
    )
    return report
  } finally {
    await stop()
  }
}

interface Sides {
  service: Meter
  bare: Meter
  keep: Meter
}

async function measureSides(
  sides: Sides,
  { databases, plan, say }: { databases: BenchDatabases; plan: Plan; say: (text: string) => void },
): Promise<Omit<DatabaseReport, 'processes' | 'startMs'>> {
  const { kind, remark } = databases
  const connections = plan.connections[kind]
  const saturation: Saturation[] = []
  const paced: Paced[] = []
  const problems: string[] = []
  for (const route of plan.routes) problems.push(...(await compareAnswers(sides, route)))
  for (const route of plan.routes) {
    say(`${kind}: ${route.name} at saturation`)
    saturation.push(await saturate(sides, route, { plan, connections }))
  }
  for (const route of plan.routes) {
    say(`${kind}: ${route.name} at ${plan.pacedPerSecond[kind]} requests per second`)
    paced.push(await paceRoute(sides.service, route, { plan, connections, perSecond: plan.pacedPerSecond[kind] }))
  }
  const latency = plan.withLatency
    ? await measureLatency(sides.service, { kind, plan: { ...plan, connections }, say })
    : []
  for (const [name, meter] of Object.entries(sides)) {
    if (meter.failed > 0) problems.push(`${name}: ${meter.failed} requests failed`)
  }
  return { kind, remark, saturation, paced, ledgerSizes: [], latency, problems, serviceMemoryMb: 0, bareMemoryMb: 0 }
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

async function saturate(
  sides: Sides,
  route: BenchRoute,
  { plan, connections }: { plan: Plan; connections: number },
): Promise<Saturation> {
  const order = { routes: [route.name], connections }
  const meters = [sides.service, sides.bare, sides.keep]
  for (const meter of meters) await meter.run({ ...order, seconds: plan.warmUpSeconds })
  const turns: Metered[][] = []
  for (let round = 0; round < plan.rounds; round += 1) {
    const turn: Metered[] = []
    for (const meter of meters) turn.push(await meter.run({ ...order, seconds: plan.seconds }))
    turns.push(turn)
  }
  const [service, bare, keep] = meters.map((_, at) => turns.flatMap((turn) => turn[at] ?? [])) as [
    Metered[],
    Metered[],
    Metered[],
  ]
  const [servicePerSecond, barePerSecond, keptPerSecond] = [service, bare, keep].map((of) => median(of.map(rate))) as [
    number,
    number,
    number,
  ]
  return {
    route,
    servicePerSecond,
    barePerSecond,
    ratio: servicePerSecond / barePerSecond,
    keptShare: servicePerSecond / keptPerSecond,
    serviceProcessorMs: processorMs(service),
    bareProcessorMs: processorMs(bare),
    ...latencyOf(service),
  }
}

async function paceRoute(
  service: Meter,
  route: BenchRoute,
  { plan, connections, perSecond }: { plan: Plan; connections: number; perSecond: number },
): Promise<Paced> {
  const routes = [route.name]
  const { pacedSeconds, seconds } = plan
  const lone = latencyOf([await service.run({ routes, connections: 1, seconds })])
  const paced = await pace(service, { routes, connections, seconds: pacedSeconds, perSecond })
  return { route, ...paced, loneP50Ms: lone.p50Ms }
}

/** Answered in a second. */
export function rate({ inTime, seconds }: LoadResult): number {
  return inTime / seconds
}

function processorMs(results: readonly Metered[]): number {
  const requests = results.reduce((total, result) => total + result.latenciesMs.length, 0)
  return results.reduce((total, result) => total + result.processorMs, 0) / requests
}
