import { Placeholder, type SQL, sql } from '../../database/drizzle.ts'
import { limitOfRows } from '../../database/listed.ts'
import { isColumn, typeOfColumn } from './fields.ts'
import type { Model, ModelOf, RowOf } from './model.ts'

/** The parameter of a statement that is given rows: a list of objects with these columns, of which any may be left out. */
export interface GivenRows {
  rows: readonly object[] | readonly WrittenRow[]
}

/** A row as it will be sent, for those that wait: one text takes less memory than a row with all its values, and is moved as one. */
export class WrittenRow {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/**
 * For a statement: the rows that it is given (`GivenRows`), in their order, as `r` with these columns of a model and others with
 * their types.
 *
 * They are sent as JSON, each as the list of its values and not as an object: the database reads half the text, and finds each value
 * by its place (docs/decisions/0026-recorded-together.md).
 */
export function givenRows<Typed extends ModelOf<object>, const Name extends keyof RowOf<Typed> & string>(
  model: Typed,
  columns: readonly Name[],
  others: Readonly<Record<string, string>> = {},
): SQL {
  const types: [name: string, type: string][] = [
    ...columns.map((each): [string, string] => [each, typeOf(model, each)]),
    ...Object.entries(others),
  ]
  const values = types.map(([name, type], at) => sql`${valueAt(at, type)} as ${sql.identifier(name)}`)
  const list = sql`jsonb_array_elements(${new RowsPlaceholder(types)}::jsonb) as given (v)`
  return sql`(select ${sql.join(values, sql`, `)} from ${list} ${limitOfRows()}) as r`
}

/** Writes rows for the statement that is given rows with just these columns of the model. */
export function rowWriter<Typed extends ModelOf<object>, const Name extends keyof RowOf<Typed> & string>(
  model: Typed,
  columns: readonly Name[],
): (row: RowOf<Typed, Name>) => WrittenRow {
  const listOf = valuesOf(columns.map((each) => [each, typeOf(model, each)]))
  return (row) => new WrittenRow(JSON.stringify(listOf(row)))
}

/** The type of a column of a model, as PostgreSQL names it; throws when it has no such column. */
export function typeOf(model: Model, name: string): string {
  const field = model.fields[name]
  if (field === undefined || !isColumn(field)) throw new Error(`${model.name} has no column ${name}`)
  return typeOfColumn(field)
}

function valueAt(at: number, type: string): SQL {
  const place = sql.raw(String(at))
  switch (type) {
    case 'text':
      return sql`v->>${place}`
    case 'jsonb':
      return sql`nullif(v->${place}, 'null')`
    default:
      return sql`(v->>${place})::${sql.raw(type)}`
  }
}

/** Stands for the rows in the statement; what is sent for it is the text that `givenRows` reads. */
class RowsPlaceholder extends Placeholder<'rows'> {
  readonly #valuesOf: (row: object) => unknown[]

  constructor(types: readonly (readonly [name: string, type: string])[]) {
    super('rows')
    this.#valuesOf = valuesOf(types)
  }

  encode(given: unknown): string {
    const rows = given as readonly object[]
    if (areWritten(rows)) return `[${rows.map(({ json }) => json).join(',')}]`
    return JSON.stringify(rows.map(this.#valuesOf))
  }
}

function areWritten(rows: readonly object[]): rows is readonly WrittenRow[] {
  return rows[0] instanceof WrittenRow
}

/** What is sent of a row: its values in the order of the columns. */
function valuesOf(types: readonly (readonly [name: string, type: string])[]): (row: object) => unknown[] {
  const names = types.map(([name]) => name)
  const lists = types.filter(([, type]) => type.endsWith('[]')).map(([name]) => name)
  const sentOf = (row: Readonly<Record<string, unknown>>, name: string): unknown => {
    const value = row[name]
    return lists.length > 0 && lists.includes(name) && Array.isArray(value) ? `{${value.join(',')}}` : value
  }
  return (row) => names.map((name) => sentOf(row as Readonly<Record<string, unknown>>, name))
}
