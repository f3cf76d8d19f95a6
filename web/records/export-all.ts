import type { QueryClient } from '@tanstack/react-query'
import { callByName, type Domain } from '../data/client.ts'
import { type FieldInfo, fieldsQuery } from '../data/queries.ts'
import { saveFile } from '../files/save-file.ts'
import { nameForPeople } from '../words/for-people.ts'
import { labelOf } from '../words/labels.ts'
import { columnsOf, csvOf, type FileColumn, type Manner } from './export-rows.ts'
import { worded } from './fields.ts'
import { titleOf as titleIn } from './record-title.ts'

/** A file holds so many rows; anyone who wants more narrows the filter. */
export const EXPORT_ROWS_MAX = 10_000
const BATCH_ROWS = 500
const NAME = 'display_name'
/** What a record is called is read of it as a field is, and described as none. */
const NAME_FIELD: FieldInfo = {
  ...{ name: NAME, type: 'char', string: '', help: null, required: false, readonly: true },
  ...{ store: false, secret: false, protected: false },
}

type Row = Readonly<Record<string, unknown>> & { id: number }
/** Columns of a list that shows more than its fields. */
export type OwnColumns = (manner: Manner) => FileColumn<Row>[]

interface Exported {
  model: string
  /** What the list calls the name of its records. */
  nameLabel?: string | undefined
  /** What is read of each record, and shown unless the list has columns of its own. */
  fields: readonly string[]
  columns?: OwnColumns | undefined
  domain: Domain
  /** That of the list; newest first without it. */
  order?: string | undefined
  manner: Manner
}

/** Saves what fits as a file, in the order of the list, as far as one may read it; gives how many rows it has. */
export async function exportAll(
  queries: QueryClient,
  { model, nameLabel, fields, columns, domain, order, manner }: Exported,
): Promise<number> {
  const known = worded(model, await queries.fetchQuery(fieldsQuery(model)))
  const shown = fields.flatMap((name): FieldInfo[] => {
    if (name === NAME) return [{ ...NAME_FIELD, string: nameLabel ?? titleOf(model) }]
    return known[name] === undefined ? [] : [known[name]]
  })
  const rows = await readAll(
    model,
    shown.map(({ name }) => name),
    { domain, order },
  )
  // The mark in front tells spreadsheets that it is UTF-8.
  const text = `\uFEFF${csvOf(columns?.(manner) ?? columnsOf(shown, manner), rows)}`
  saveFile({ name: nameLabel ?? titleOf(model), ending: 'csv', type: 'text/csv', text })
  return rows.length
}

/** What the records of a list are called where it has no name of its own. */
function titleOf(model: string): string {
  return labelOf(model === 'res.partner' ? 'Contact' : nameForPeople(model.slice(model.lastIndexOf('.') + 1)), model)
}

/** A record with its name as lists show it. */
function withTitle(model: string, row: Row): Row {
  const title = row[NAME]
  return typeof title === 'string' ? { ...row, [NAME]: titleIn(model, title) } : row
}

async function readAll(
  model: string,
  fields: readonly string[],
  { domain, order }: Pick<Exported, 'domain' | 'order'>,
): Promise<Row[]> {
  const rows: Row[] = []
  while (rows.length < EXPORT_ROWS_MAX) {
    const last = rows.at(-1)?.id
    const page = (await callByName(model, 'search_read', {
      domain: last === undefined || order !== undefined ? domain : [...domain, ['id', '<', last]],
      fields: ['id', ...fields],
      order: order ?? 'id desc',
      limit: BATCH_ROWS,
      ...(order === undefined ? {} : { offset: rows.length }),
    })) as Row[]
    rows.push(...page.map((row) => withTitle(model, row)))
    if (page.length < BATCH_ROWS) break
  }
  return rows
}
