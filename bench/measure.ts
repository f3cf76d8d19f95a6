import type { LedgerSize } from './compare-ledgers.ts'
import type { BenchDatabases } from './databases.ts'
import { type LatencyPoint, measureLatency } from './latency.ts'
import type { Load, LoadResult } from './load.ts'
import { type Latency, latencyOf, Meter, type Metered, median, pace } from './meter.ts'
import type { BenchRoute, DatabaseKind } from './route.ts'
import { type Measured, measureStart, startKeepLoop, startService, together } from './sides.ts'

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

/** One route at saturation: the service beside the loop that only keeps deliveries. */
export interface Saturation extends Latency {
  route: BenchRoute
  servicePerSecond: number
  keptPerSecond: number
  /** Of the service to the loop. */
  keptShare: number
  /** Processor time of the process itself for one request; the database's is not in it. */
  processorMs: number
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
  memoryMb: number
  /** What was not as it should be: failed requests, rows missing or twice. */
  problems: string[]
}

/** Measures the service and the loop on one kind of database, taking turns so that the machine's moods hit both. */
export async function measure(databases: BenchDatabases, plan: Plan, load: Load, say: (text: string) => void) {
  const { loaded } = databases
  const environments = databases.serviceEnvironments(plan.processes)
  const [first] = environments
  // Without its own folder the service would open that of the person who runs the bench.
  if (first === undefined) throw new Error('--processes wants at least one')
  const startMs = await measureStart(first)
  const service = together(await Promise.all(environments.map((each) => startService(each, plan.profileFolder))))
  const keep = await startKeepLoop({ place: databases.keep, loaded })
  const meter = (side: Measured): Meter => new Meter(side, load, databases)
  const sides = { service: meter(service), keep: meter(keep) }
  const stop = () => Promise.all([service, keep].map((side) => side.stop()))
  try {
    const report = { ...(await measureSides(sides, { databases, plan, say })), processes: environments.length, startMs }
    report.memoryMb = sides.service.memoryMb
    await stop()
    report.problems.push(...(await sides.service.missingRows(plan.routes, databases.openService)))
    return report
  } finally {
    await stop()
  }
}

interface Sides {
  service: Meter
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
  return { kind, remark, saturation, paced, ledgerSizes: [], latency, problems, memoryMb: 0 }
}

async function saturate(
  sides: Sides,
  route: BenchRoute,
  { plan, connections }: { plan: Plan; connections: number },
): Promise<Saturation> {
  const order = { routes: [route.name], connections }
  const turns: { service: Metered[]; keep: Metered[] } = { service: [], keep: [] }
  for (const meter of [sides.service, sides.keep]) await meter.run({ ...order, seconds: plan.warmUpSeconds })
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const side of ['service', 'keep'] as const) {
      turns[side].push(await sides[side].run({ ...order, seconds: plan.seconds }))
    }
  }
  const [servicePerSecond, keptPerSecond] = [median(turns.service.map(rate)), median(turns.keep.map(rate))]
  return {
    route,
    servicePerSecond,
    keptPerSecond,
    keptShare: servicePerSecond / keptPerSecond,
    processorMs: processorMs(turns.service),
    ...latencyOf(turns.service),
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
