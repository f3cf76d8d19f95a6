import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  type PgTable,
  pgTable,
  primaryKey,
  sql,
  text,
  timestamp,
  uniqueIndex,
} from '../../database/drizzle.ts'
import { folded } from '../../database/folded.ts'
import { type ColumnField, isColumn, type Many2ManyField } from './fields.ts'
import type { Model, ModelIndex } from './model.ts'

type Columns = Record<string, AnyPgColumn>

/** Ids have 64 bits: a busy installation uses up those of 32 in years. JavaScript reads them exactly up to 2^53. */
const idColumn = (name: string) => bigint(name, { mode: 'number' })
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Links to who wrote a row, which every model has. */
const WRITERS = ['create_uid', 'write_uid']

/** The moment of writing, in UTC and without zone, as every date-time is stored. */
const UTC_NOW = sql`(now() at time zone 'utc')`

/** Drizzle tables of models and of the pairs their many2many fields need, from which migrations are generated. */
export function tablesOf(models: Iterable<Model>): Record<string, PgTable> {
  const tables: Record<string, PgTable> = {}
  const columnsOf = (modelName: string) => tables[modelName.replaceAll('.', '_')] as unknown as Columns
  for (const model of models) {
    if (model.rows !== undefined) continue
    tables[model.table] = modelTable(model, columnsOf)
    for (const field of Object.values(model.fields)) {
      if (field.kind !== 'many2many' || tables[field.relation.table] !== undefined) continue
      tables[field.relation.table] = relationTable(model.name, field, columnsOf)
    }
  }
  return tables
}

/** Name of the unique index on columns of a table, as the database reports it when it refuses a row. */
export function uniqueIndexName(table: string, columns: readonly string[]): string {
  return shortName(`${table}_${columns.join('_')}_key`)
}

function modelTable(model: Model, columnsOf: (modelName: string) => Columns): PgTable {
  const columns: Record<string, ReturnType<typeof columnOf>> = {
    id: idColumn('id').primaryKey().generatedByDefaultAsIdentity() as never,
  }
  for (const [name, field] of Object.entries(model.fields)) {
    if (isColumn(field)) columns[name] = columnOf(name, field)
  }
  return pgTable(model.table, columns as never, (self) => constraintsOf(model, self as unknown as Columns, columnsOf))
}

function columnOf(name: string, field: ColumnField) {
  const column = plainColumn(name, field)
  if (field.generatedAs !== undefined) return column.generatedAlwaysAs(sql.raw(field.generatedAs) as never)
  if (name === 'create_date' || name === 'write_date') return column.notNull().default(UTC_NOW as never)
  return field.required === true ? column.notNull() : column
}

function plainColumn(name: string, field: ColumnField) {
  switch (field.kind) {
    case 'integer':
      return field.isRecordId === true ? idColumn(name) : integer(name)
    case 'many2one':
      return idColumn(name)
    case 'float':
      return doublePrecision(name)
    case 'boolean':
      return boolean(name)
    case 'date':
      return date(name)
    case 'datetime':
      return timestamp(name, { mode: 'string' })
    case 'json':
      return jsonb(name)
    case 'binary':
      return bytea(name)
    default:
      return text(name)
  }
}

function constraintsOf(model: Model, self: Columns, columnsOf: (modelName: string) => Columns) {
  const ofFields = Object.entries(model.fields).flatMap(([name, field]) => {
    if (!isColumn(field)) return []
    const ofField = fieldIndexes(model, name, field, self)
    return isChecked(model, name, field) ? [...ofField, linkOf(model, name, field, self, columnsOf)] : ofField
  })
  return [...ofFields, ...(model.indexes ?? []).map((each) => modelIndex(model, each, self))]
}

function isChecked(model: Model, name: string, { kind, isUnchecked }: ColumnField): boolean {
  if (kind !== 'many2one' || isUnchecked === true) return false
  return !(model.comesWithDeliveries === true && WRITERS.includes(name))
}

function fieldIndexes(model: Model, name: string, { isUnique, isIndexed }: ColumnField, self: Columns) {
  const column = self[name] as never
  if (isUnique === true) return [uniqueIndex(uniqueIndexName(model.table, [name])).on(column)]
  if (isIndexed === undefined || isIndexed === false) return []
  const made = index(shortName(`${model.table}_${name}_index`)).on(column)
  if (isIndexed === 'folded') {
    const inOrder = index(shortName(`${model.table}_${name}_folded_index`)).on(folded(sql.raw(`"${name}"`)) as never)
    return [made, inOrder]
  }
  return [isIndexed === 'where present' ? made.where(sql.raw(`"${name}" is not null`)) : made]
}

function modelIndex(model: Model, { columns, isUnique, where }: ModelIndex, self: Columns) {
  const builder =
    isUnique === true
      ? uniqueIndex(uniqueIndexName(model.table, columns))
      : index(shortName(`${model.table}_${columns.join('_')}_index`))
  const made = builder.on(...(columns.map((each) => self[each]) as never[] as [never]))
  return where === undefined ? made : made.where(sql.raw(where))
}

function linkOf(
  model: Model,
  name: string,
  field: ColumnField,
  self: Columns,
  columnsOf: (modelName: string) => Columns,
) {
  const target = columnsOf(field.target ?? '')
  if (target === undefined) throw new Error(`${model.name}.${name} points at ${field.target}, which is no model`)
  return foreignKey({
    name: shortName(`${model.table}_${name}_fkey`),
    columns: [self[name] as never],
    foreignColumns: [target.id as never],
  }).onDelete(field.onDelete ?? 'set null')
}

function relationTable(owner: string, field: Many2ManyField, columnsOf: (modelName: string) => Columns): PgTable {
  const { table, here, there } = field.relation
  return pgTable(table, { [here]: idColumn(here).notNull(), [there]: idColumn(there).notNull() }, (columns) => {
    const self = columns as unknown as Columns
    const link = (name: string, model: string) =>
      foreignKey({
        name: shortName(`${table}_${name}_fkey`),
        columns: [self[name] as never],
        foreignColumns: [columnsOf(model).id as never],
      }).onDelete('cascade')
    return [
      primaryKey({ name: shortName(`${table}_pkey`), columns: [self[here] as never, self[there] as never] }),
      index(shortName(`${table}_${there}_${here}_index`)).on(self[there] as never, self[here] as never),
      link(here, owner),
      link(there, field.target),
    ]
  })
}

/** PostgreSQL cuts names after 63 bytes, silently; ours say where they were cut. */
function shortName(name: string): string {
  const BYTES_MAX = 63
  if (name.length <= BYTES_MAX) return name
  const [start, end] = [name.slice(0, 30), name.slice(-30)]
  return `${start}__${end}`
}
