// What rows are grouped by and what is reckoned of each group, as a client names it: "agent", "create_date:day", "duration:sum".
import { type SQL, sql } from '../../../database/drizzle.ts'
import { Refusal } from '../../../errors.ts'
import { parseZone } from '../../../time.ts'
import type { Env } from '../../access/env.ts'
import { type ColumnField, isColumn } from '../../model/fields.ts'
import type { Model } from '../../model/model.ts'
import { getField } from '../../model/models.ts'
import { shown } from '../condition.ts'
import { requireSearchable } from '../domain.ts'

/** Fields that rows are grouped by together. */
const KEYS_MAX = 3
/** What is reckoned of each group beside their count. */
const MEASURES_MAX = 10

const PARTS_OF_DAYS = ['day', 'week', 'month', 'quarter', 'year']
const UNITS: Partial<Record<ColumnField['kind'], readonly string[]>> = {
  datetime: ['hour', ...PARTS_OF_DAYS],
  date: PARTS_OF_DAYS,
}
const PLAIN_KEYS: readonly string[] = ['char', 'selection', 'many2one', 'boolean', 'integer', 'date']
const FUNCTIONS = ['sum', 'avg', 'min', 'max'] as const
type MeasureFunction = (typeof FUNCTIONS)[number]
const MEASURED: Partial<Record<ColumnField['kind'], readonly MeasureFunction[]>> = {
  integer: FUNCTIONS,
  float: FUNCTIONS,
  date: ['min', 'max'],
  datetime: ['min', 'max'],
}

/** As a client asks; `tz` is where hours and days begin. */
export interface AskedGroups {
  by: readonly string[]
  measures?: readonly string[] | undefined
  tz?: string | undefined
}

interface GroupKey {
  name: string
  value: SQL
  /** The model whose records the key names. */
  target: string | undefined
}

export interface Measure {
  name: string
  reckons: MeasureFunction
  column: SQL
  value: SQL
}

export interface Grouping {
  keys: GroupKey[]
  measures: Measure[]
}

/** Reads the names; throws a refusal that says which of them cannot be grouped by, or reckoned, and what can. */
export function parseGrouping(env: Env, model: Model, { by, measures = [], tz = 'UTC' }: AskedGroups): Grouping {
  const zone = parseZone(tz)
  if (zone === undefined) throw new Refusal('refused', 'api-no-time-zone', { tz: shown(tz) })
  requireFew('by', by, KEYS_MAX)
  requireFew('measures', measures, MEASURES_MAX)
  return {
    keys: by.map((name) => parseKey(env, model, name, zone)),
    measures: measures.map((name) => parseMeasure(env, model, name)),
  }
}

function requireFew(argument: string, names: readonly string[], most: number): void {
  if (names.length > most) throw new Refusal('refused', 'api-argument-names-at-most', { argument, most })
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) throw new Refusal('refused', 'api-argument-names-twice', { argument, name: shown(twice) })
}

function parseKey(env: Env, model: Model, name: string, zone: string): GroupKey {
  const { field, column, word: unit } = namedColumn(env, model, name)
  const units = UNITS[field.kind] ?? []
  const isPlain = unit === '' && PLAIN_KEYS.includes(field.kind)
  if (!isPlain && !units.includes(unit)) {
    const forms = units.map((each) => `"${name.split(':')[0]}:${each}"`)
    const advice =
      forms.length > 0 ? `say ${forms.join(', ')}` : 'a text in one line, a choice, a link, a number, a date can be'
    throw new Refusal('refused', 'api-cannot-grouped-by', { model: model.name, name: shown(name), advice })
  }
  const target = field.kind === 'many2one' ? field.target : undefined
  if (field.kind === 'boolean') return { name, value: sql`coalesce(${column}, false)`, target }
  if (unit === '') return { name, value: field.kind === 'date' ? sql`${column}::text` : column, target }
  return { name, value: beginning(field, column, { unit, zone }), target }
}

/** When the hour or day began. An hour that comes twice when clocks are set back is two hours; days are as long as they are there. */
function beginning(field: ColumnField, column: SQL, { unit, zone }: { unit: string; zone: string }): SQL {
  const part = sql.raw(`'${unit}'`)
  if (field.kind === 'date') return sql`date_trunc(${part}, ${column})::date::text`
  return wireTime(sql`date_trunc(${part}, ${column} at time zone 'utc', ${zone}::text) at time zone 'utc'`)
}

function parseMeasure(env: Env, model: Model, name: string): Measure {
  const { field, column, word } = namedColumn(env, model, name)
  const possible = field.isRecordId === true ? [] : (MEASURED[field.kind] ?? [])
  const reckons = possible.find((each) => each === word)
  if (reckons === undefined) {
    const forms = possible.map((each) => `"${name.split(':')[0]}:${each}"`)
    const advice =
      forms.length > 0 ? `say ${forms.join(', ')}` : 'of numbers there are sum, avg, min and max, of dates min and max'
    throw new Refusal('refused', 'api-cannot-reckoned', { name: shown(name), model: model.name, advice })
  }
  return { name, reckons, column, value: measureSql(field, column, reckons) }
}

/** Sums and counts of parts can be added up, an average cannot: it is divided at the end. */
function measureSql(field: ColumnField, column: SQL, reckons: MeasureFunction): SQL {
  if (reckons === 'sum' || reckons === 'avg') return sql`coalesce(sum(${column}), 0)::float8`
  const value = sql`${sql.raw(reckons)}(${column})`
  if (field.kind === 'date') return sql`${value}::text`
  return field.kind === 'datetime' ? wireTime(value) : value
}

function wireTime(moment: SQL): SQL {
  return sql`to_char(${moment}, 'YYYY-MM-DD HH24:MI:SS')`
}

function namedColumn(env: Env, model: Model, text: string): { field: ColumnField; column: SQL; word: string } {
  const [, name = '', word = ''] = /^(\w+)(?::(\w+))?$/.exec(text) ?? []
  if (name === '') throw new Refusal('refused', 'api-no-field-such-as', { name: shown(text) })
  const field = getField(model, name)
  requireSearchable(env.identity, model, name, field)
  // A value that only some may see of some rows must not be added up for others.
  if (!isColumn(field) || (field.shownTo !== undefined && !env.identity.isElevated)) {
    throw new Refusal('refused', 'api-field-cannot-grouped-reckoned', { name, model: model.name })
  }
  return { field, column: sql`t.${sql.identifier(name)}`, word }
}
