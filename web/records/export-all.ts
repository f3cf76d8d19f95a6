import type { QueryClient } from '@tanstack/react-query'
import { callByName, type Domain } from '../data/client.ts'
import { type FieldInfo, fieldsQuery } from '../data/queries.ts'
import { csvOf, saveFile } from './export-rows.ts'
import { worded } from './fields.ts'

/** A file holds so many rows; whoever wants more narrows the filter. */
export const EXPORT_ROWS_MAX = 10_000
const BATCH_ROWS = 500

type Row = Readonly<Record<string, unknown>> & { id: number }

/** Saves what fits as a file, newest first, as far as one may read it; gives how many rows it has. */
export async function exportAll(
  queries: QueryClient,
  { model, fields, domain }: { model: string; fields: readonly string[]; domain: Domain },
): Promise<number> {
  const known = worded(model, await queries.fetchQuery(fieldsQuery(model)))
  const columns = fields.flatMap((name): FieldInfo[] => {
    const field = known[name]
    return field === undefined ? [] : [field]
  })
  const rows = await readAll(
    model,
    columns.map(({ name }) => name),
    domain,
  )
  saveFile(`${model}.csv`, csvOf(columns, rows))
  return rows.length
}

async function readAll(model: string, fields: readonly string[], domain: Domain): Promise<Row[]> {
  const rows: Row[] = []
  while (rows.length < EXPORT_ROWS_MAX) {
    const last = rows.at(-1)?.id
    const page = (await callByName(model, 'search_read', {
      domain: last === undefined ? domain : [...domain, ['id', '<', last]],
      fields: ['id', ...fields],
      order: 'id desc',
      limit: BATCH_ROWS,
    })) as Row[]
    rows.push(...page)
    if (page.length < BATCH_ROWS) break
  }
  return rows
}
