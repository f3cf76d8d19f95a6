import { cpus } from 'node:os'
import type { DataSize } from './load-data.ts'
import type { DatabaseReport, Plan } from './measure.ts'

/** What the service is meant to reach. */
export const TARGETS = {
  ratioMin: 0.7,
  pacedP99MsMax: 50,
  /** p50 with the loaded ledger, as a multiple of that with an empty one. */
  ledgerRatioMax: 1.2,
  memoryMbMax: { embedded: 450, PostgreSQL: 200 },
} as const

/** The report as a person reads it. */
export function renderReport(reports: readonly DatabaseReport[], plan: Plan, size: DataSize): string {
  const { connections, rounds, seconds, pacedPerSecond, pacedSeconds } = plan
  return [
    `Node ${process.version} on ${cpus().length} processors, which service, database and load generator share.`,
    `Loaded first: ${size.calls} calls, ${size.contacts} contacts, ${size.tickets} tickets.`,
    ...reports.map(({ kind, remark }) => `${kind}: ${remark}.`),
    '',
    `At saturation: ${connections} connections, median of ${rounds} turns of ${seconds} s; target: ratio of at least ${TARGETS.ratioMin}.`,
    '"Bare" is node:http and the driver doing the same SQL; "cpu" is the processor time of the process for one request.',
    table(
      ['route', 'database', 'service/s', 'bare/s', 'ratio', 'p50 ms', 'p99 ms', 'cpu ms', 'bare cpu ms', 'target'],
      reports.flatMap(saturationRows),
    ),
    '',
    `At a fixed rate for ${pacedSeconds} s each; target: p99 below ${TARGETS.pacedP99MsMax} ms.`,
    table(
      ['route', 'database', 'per second', 'p50 ms', 'p99 ms', 'slowest ms', 'target'],
      reports.flatMap((report) => pacedRows(report, pacedPerSecond[report.kind])),
    ),
    ...ledgerSizes(reports),
    '',
    'Resident memory after all that.',
    table(['database', 'service MB', 'bare MB', 'below', 'target'], reports.map(memoryRow)),
    ...reports.flatMap(({ kind, problems }) => problems.map((problem) => `PROBLEM on ${kind}: ${problem}`)),
  ].join('\n')
}

function saturationRows({ kind, saturation }: DatabaseReport): string[][] {
  return saturation.map((row) => [
    row.route,
    kind,
    row.servicePerSecond.toFixed(0),
    row.barePerSecond.toFixed(0),
    row.ratio.toFixed(2),
    row.p50Ms.toFixed(1),
    row.p99Ms.toFixed(1),
    row.serviceProcessorMs.toFixed(2),
    row.bareProcessorMs.toFixed(2),
    verdict(row.ratio >= TARGETS.ratioMin),
  ])
}

/** The table of `--compare-empty`; nothing when that was not asked for. */
function ledgerSizes(reports: readonly DatabaseReport[]): string[] {
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

function pacedRows({ kind, paced }: DatabaseReport, perSecond: number): string[][] {
  return paced.map(({ route, p50Ms, p99Ms, slowestMs }) => [
    route,
    kind,
    String(perSecond),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    slowestMs.toFixed(1),
    verdict(p99Ms < TARGETS.pacedP99MsMax),
  ])
}

function memoryRow({ kind, serviceMemoryMb, bareMemoryMb }: DatabaseReport): string[] {
  const max = TARGETS.memoryMbMax[kind]
  return [kind, String(serviceMemoryMb), String(bareMemoryMb), String(max), verdict(serviceMemoryMb < max)]
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
