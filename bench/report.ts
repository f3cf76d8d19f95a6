import { cpus } from 'node:os'
import { callsWithin, REQUESTS_OF_A_CALL } from './latency.ts'
import type { DataSize } from './load-data.ts'
import type { DatabaseReport, Plan } from './measure.ts'
import type { BenchRoute, DatabaseKind } from './route.ts'

/** What the service is meant to reach, besides what each route says of itself. */
const TARGETS = {
  saturatedP99MsMax: 150,
  pacedP99MsMax: { embedded: 15, PostgreSQL: 25 },
  /** p50 with the loaded ledger, as a multiple of that with an empty one. */
  ledgerRatioMax: 1.2,
  /** Of one process. */
  memoryMbMax: { embedded: 450, PostgreSQL: 350 },
  startMsMax: 2_000,
} as const

/** Up to this p99 a machine counts as good for a load: nobody on the telephone hears such a pause. */
const GOOD_P99_MS = 50
/** A usual day of a company: one sixth of its calls come in its busiest hour. */
const BUSIEST_HOURS_A_DAY = 6
const SECONDS_PER_HOUR = 3_600

/** The report as a person reads it. */
export function renderReport(reports: readonly DatabaseReport[], plan: Plan, size: DataSize): string {
  const { connections, rounds, seconds, pacedPerSecond, pacedSeconds } = plan
  return [
    `Node ${process.version} on ${cpus().length} processors, which service, database and load generator share.`,
    `Loaded first: ${size.calls} calls, ${size.contacts} contacts, ${size.tickets} tickets.`,
    ...reports.map(({ kind, remark, processes }) => `${kind}: ${remark}; processes of the service: ${processes}.`),
    '',
    `At saturation: ${connections.PostgreSQL} connections (embedded ${connections.embedded}), median of ${rounds} turns of ${seconds} s; target: p99 below ${TARGETS.saturatedP99MsMax} ms, and the share.`,
    '"Kept" is a loop of node:http and the driver that only verifies and keeps deliveries, "share" that of the service of it;',
    '"cpu" is the processor time of the process for one request.',
    table(
      ['route', 'database', 'service/s', 'kept/s', 'share', 'wanted', 'p50 ms', 'p99 ms', 'cpu ms', 'target'],
      reports.flatMap(saturationRows),
    ),
    '',
    `At a fixed rate for ${pacedSeconds} s each; target: p99. "Lone" is p50 of requests one after the other.`,
    table(
      ['route', 'database', 'per second', 'lone ms', 'p50 ms', 'p99 ms', 'slowest ms', 'wanted', 'target'],
      reports.flatMap((report) => pacedRows(report, pacedPerSecond[report.kind])),
    ),
    ...ledgerSizes(reports),
    ...latencies(reports),
    '',
    'Resident memory after a turn, at most.',
    table(['database', 'MB', 'below', 'target'], reports.map(memoryRow)),
    '',
    'Start of a process until it listens, median.',
    table(['database', 'start ms', 'below', 'target'], reports.map(startRow)),
    ...reports.flatMap(({ kind, problems }) => problems.map((problem) => `PROBLEM on ${kind}: ${problem}`)),
  ].join('\n')
}

function saturationRows({ kind, saturation }: DatabaseReport): string[][] {
  return saturation.map(({ route, ...row }) => [
    route.name,
    kind,
    row.servicePerSecond.toFixed(0),
    row.keptPerSecond.toFixed(0),
    row.keptShare.toFixed(2),
    shareMin(route, kind).toFixed(2),
    row.p50Ms.toFixed(1),
    row.p99Ms.toFixed(1),
    row.processorMs.toFixed(2),
    verdict(row.keptShare >= shareMin(route, kind) && row.p99Ms < TARGETS.saturatedP99MsMax),
  ])
}

function shareMin({ keptShareMin = 0 }: BenchRoute, kind: DatabaseKind): number {
  return kind === 'PostgreSQL' ? keptShareMin : 0
}

/** The table of `--compare-empty`; nothing when that was not asked for. */
function ledgerSizes(reports: readonly Pick<DatabaseReport, 'kind' | 'ledgerSizes'>[]): string[] {
  if (reports.every((report) => report.ledgerSizes.length === 0)) return []
  const rows = reports.flatMap(({ kind, ledgerSizes: sizes }) =>
    sizes.map(({ route, emptyP50Ms, fullP50Ms, ratio }) => [
      route,
      kind,
      emptyP50Ms.toFixed(2),
      fullP50Ms.toFixed(2),
      ratio.toFixed(2),
      verdict(ratio <= TARGETS.ledgerRatioMax),
    ]),
  )
  const title = `The same rate with an empty ledger; target: p50 with the loaded one at most ${TARGETS.ledgerRatioMax} times as long.`
  return ['', title, table(['route', 'database', 'empty p50 ms', 'full p50 ms', 'ratio', 'target'], rows)]
}

/** The tables of `--picture`; nothing when that was not asked for. */
function latencies(reports: readonly DatabaseReport[]): string[] {
  const measured = reports.filter(({ latency }) => latency.length > 0)
  if (measured.length === 0) return []
  const points = measured.flatMap(({ kind, latency }) =>
    latency.map((point) => [
      kind,
      ...[point.callsPerSecond, point.p50Ms, point.p99Ms].map((value) => value.toFixed(1)),
    ]),
  )
  return [
    '',
    `Whole calls of ${REQUESTS_OF_A_CALL.length} requests each.`,
    table(['database', 'calls a second', 'p50 ms', 'p99 ms'], points),
    '',
    `What one machine takes with p99 below ${GOOD_P99_MS} ms; of a day's calls one in ${BUSIEST_HOURS_A_DAY} comes in its busiest hour.`,
    table(['database', 'calls a second', 'in the busiest hour', 'a day'], measured.map(capacityRow)),
  ]
}

function capacityRow({ kind, latency }: DatabaseReport): string[] {
  const perSecond = callsWithin(latency, GOOD_P99_MS)
  const perHour = perSecond * SECONDS_PER_HOUR
  return [kind, perSecond.toFixed(1), perHour.toFixed(0), (perHour * BUSIEST_HOURS_A_DAY).toFixed(0)]
}

function pacedRows({ kind, paced }: DatabaseReport, perSecond: number): string[][] {
  const wantedMs = TARGETS.pacedP99MsMax[kind]
  return paced.map(({ route, loneP50Ms, p50Ms, p99Ms, slowestMs }) => [
    route.name,
    kind,
    String(perSecond),
    ...[loneP50Ms, p50Ms, p99Ms, slowestMs].map((ms) => ms.toFixed(1)),
    String(wantedMs),
    verdict(p99Ms < wantedMs),
  ])
}

function memoryRow({ kind, processes, memoryMb }: DatabaseReport): string[] {
  const max = TARGETS.memoryMbMax[kind] * processes
  return [kind, String(memoryMb), String(max), verdict(memoryMb < max)]
}

function startRow({ kind, startMs }: DatabaseReport): string[] {
  const { startMsMax } = TARGETS
  return [kind, startMs.toFixed(0), String(startMsMax), verdict(startMs < startMsMax)]
}

function verdict(isReached: boolean): string {
  return isReached ? 'reached' : 'MISSED'
}

/** Columns as wide as their widest cell; the first two are text, the rest numbers. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const isNumber = (at: number): boolean => rows.every((row) => /^[\d.]*$/.test(row[at] ?? ''))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (isNumber(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
