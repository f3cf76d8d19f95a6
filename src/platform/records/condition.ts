import { type SQL, sql } from '../../database/drizzle.ts'
import { folded } from '../../database/folded.ts'
import { Refusal } from '../../errors.ts'
import { patternToFold, umlautSpellings } from '../../folded-text.ts'
import { ID_MAX, INT_MAX } from '../../lenient-values.ts'
import { type ColumnField, typeOfColumn } from '../model/fields.ts'
import { readDate, readDateTime } from './column-values.ts'
import type { Operator } from './domain-syntax.ts'

/** Characters of a value that a refusal repeats. */
const SHOWN_CHARS_MAX = 100
/** Values one `in` condition may list. */
const LIST_VALUES_MAX = 10_000

interface Comparison {
  operator: Operator
  value: unknown
  /** The field as a person knows it, for the sentence of a refusal. */
  path: string
}

/** One comparison of a column with a value, typed by the field; throws a refusal that names field and value. */
export function conditionSql(column: SQL, field: ColumnField, comparison: Comparison): SQL {
  const { operator } = comparison
  switch (operator) {
    case 'in':
      return listSql(column, field, comparison)
    case 'not in':
      return sql`(not coalesce(${listSql(column, field, comparison)}, false))`
    case '=':
    case '!=':
      return equalSql(column, field, comparison)
    case '<':
    case '<=':
    case '>':
    case '>=':
      return sql`${column} ${sql.raw(operator)} ${operand(field, comparison)}`
    default:
      return likeSql(column, field, comparison)
  }
}

function equalSql(column: SQL, field: ColumnField, comparison: Comparison): SQL {
  const { operator, value } = comparison
  if (Array.isArray(value)) {
    return conditionSql(column, field, { ...comparison, operator: operator === '=' ? 'in' : 'not in' })
  }
  if (field.kind === 'boolean') {
    const test = sql`coalesce(${column}, false) = ${operand(field, comparison)}`
    return operator === '=' ? test : sql`(not ${test})`
  }
  if (isNothing(field, value)) return operator === '=' ? sql`${column} is null` : sql`${column} is not null`
  if (operator === '=') return sql`${column} = ${operand(field, comparison)}`
  return sql`${column} is distinct from ${operand(field, comparison)}`
}

/** A list is one parameter, however long it is: a statement has room for 65535 of them. */
function listSql(column: SQL, field: ColumnField, comparison: Comparison): SQL {
  const { value, path } = comparison
  const values = Array.isArray(value) ? value : [value]
  if (values.length > LIST_VALUES_MAX) {
    throw new Refusal('refused', 'api-condition-on-lists-more-than-values', { path, list_values: LIST_VALUES_MAX })
  }
  const present = values.filter((each) => !isNothing(field, each))
  const operands = present.map((each) => readOperand(field, { ...comparison, value: each }))
  const list = sql`${sql.param(operands)}::${sql.raw(typeOfColumn(field))}[]`
  if (field.kind === 'boolean') return sql`coalesce(${column}, false) = any(${list})`
  const test = sql`${column} = any(${list})`
  return present.length < values.length ? sql`(${column} is null or ${test})` : test
}

/** An empty text is stored as none, so that is what it finds; a boolean without a value is false. */
function isNothing({ kind }: ColumnField, value: unknown): boolean {
  if (kind === 'boolean') return false
  return value === null || value === false || value === ''
}

function likeSql(column: SQL, field: ColumnField, { operator, value, path }: Comparison): SQL {
  if (!['char', 'text', 'html', 'selection'].includes(field.kind)) {
    throw new Refusal('refused', 'api-operator-needs-text-field-not-one', { operator, path })
  }
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new Refusal('refused', 'api-operator-on-needs-text-look-for', { operator, path })
  }
  // `=like` takes a pattern; the others look for the text itself, in which % and _ mean themselves.
  const pattern = operator.startsWith('=') ? String(value) : `%${escapeLike(String(value))}%`
  if (/(?<!\\)(?:\\\\)*\\$/.test(pattern)) {
    throw new Refusal('refused', 'api-pattern-for-ends-backslash-stands-before', { path })
  }
  const isAnyCase = operator.includes('ilike') && pattern.toLowerCase() !== pattern.toUpperCase()
  // Digits have no case, and without regard to it a comparison takes four times as long.
  const text = requireText(pattern, path)
  const test = isAnyCase ? anyCaseLike(column, text) : sql`${column} like ${text}`
  return operator.startsWith('not') ? sql`(not coalesce(${test}, false))` : test
}

/** In any accent, and in either spelling of German umlauts; the column, which may be long, is folded once. */
export function anyCaseLike(column: SQL, text: string): SQL {
  const patterns = [text, ...umlautSpellings(text)].map((each) => folded(sql`${patternToFold(each)}::text`))
  const [only] = patterns
  if (patterns.length === 1 && only !== undefined) return sql`${folded(sql`${column}`)} like ${only}`
  return sql`${folded(sql`${column}`)} like any (array[${sql.join(patterns, sql`, `)}])`
}

/** A text in which the wildcards of `like` stand for themselves. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

function operand(field: ColumnField, comparison: Comparison): SQL {
  return sql`${readOperand(field, comparison)}::${sql.raw(typeOfColumn(field))}`
}

function readOperand(field: ColumnField, { value, path }: Comparison): string | number | boolean {
  switch (field.kind) {
    case 'integer':
    case 'many2one':
      return requireInteger(value, path, typeOfColumn(field) === 'bigint' ? ID_MAX : INT_MAX)
    case 'float':
      return requireNumber(value, path)
    case 'boolean':
      return requireBoolean(value, path)
    case 'date':
      return readDate(value, path)
    case 'datetime':
      return readDateTime(value, path)
    default:
      return requireText(value, path)
  }
}

function requireInteger(value: unknown, path: string, max: number): number {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= max) return number
  throw new Refusal('refused', 'api-not-whole-number-which-compared-with', { value: shown(value), path })
}

function requireNumber(value: unknown, path: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new Refusal('refused', 'api-not-number-which-compared-with', { value: shown(value), path })
}

function requireBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  if (value === null || value === 0) return false
  if (value === 1) return true
  throw new Refusal('refused', 'api-neither-true-nor-false-which-compared', { value: shown(value), path })
}

function requireText(value: unknown, path: string): string {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new Refusal('refused', 'api-not-text-which-compared-with', { value: shown(value), path })
  }
  const text = String(value)
  if (!text.includes('\0') && text.isWellFormed()) return text
  throw new Refusal('refused', 'api-text-compared-with-has-characters-no', { path })
}

/** A value as a refusal repeats it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}...` : text
}
