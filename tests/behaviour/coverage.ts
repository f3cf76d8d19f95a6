// What a recording has touched, so that a gap in it is seen.
import type { Recording } from './recorder.ts'

export function coverageOf({ exchanges, commands, providers, rows, complaints }: Recording): string[] {
  const last = Object.values(rows).at(-1) ?? {}
  const tables = Object.keys(last)
  const filled = tables.filter((table) => Object.values(rows).some((each) => (each[table] ?? []).length > 0))
  const empty = tables.filter((table) => !filled.includes(table))
  return [
    `${exchanges.length} exchanges, ${commands.length} commands, ${providers.length} requests to providers`,
    `tables with rows: ${filled.length} of ${tables.length}${empty.length === 0 ? '' : `; without: ${empty.join(', ')}`}`,
    ...complaints.map((complaint) => `complaint: ${complaint}`),
  ]
}
