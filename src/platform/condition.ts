import { type SQL, sql } from '../database/drizzle.ts'
import { Refusal } from '../errors.ts'
import type { Operator } from './domain-syntax.ts'
import type { ColumnField } from './fields.ts'
import { readDate, readDateTime } from './wire-values.ts'

/** Values one `in` condition may list. */
const LIST_VALUES_MAX = 10_000
const INT_MAX = 2_147_483_647

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
  const isEmpty = value === null || (value === false && field.kind !== 'boolean')
  if (field.kind === 'boolean') {
    const test = sql`coalesce(${column}, false) = ${Boolean(value)}`
    return operator === '=' ? test : sql`(not ${test})`
  }
  if (isEmpty) return operator === '=' ? sql`${column} is null` : sql`${column} is not null`
  if (operator === '=') return sql`${column} = ${operand(field, comparison)}`
  return sql`${column} is distinct from ${operand(field, comparison)}`
}

function listSql(column: SQL, field: ColumnField, comparison: Comparison): SQL {
  const { value, path } = comparison
  const values = Array.isArray(value) ? value : [value]
  if (values.length > LIST_VALUES_MAX) {
    throw new Refusal('refused', `The condition on "${path}" lists more than ${LIST_VALUES_MAX} values.`)
  }
  const present = values.filter((each) => each !== null && (each !== false || field.kind === 'boolean'))
  const tests: SQL[] = []
  if (present.length > 0) {
    const operands = present.map((each) => operand(field, { ...comparison, value: each }))
    tests.push(sql`${column} in (${sql.join(operands, sql`, `)})`)
  }
  if (present.length < values.length) tests.push(sql`${column} is null`)
  return tests.length === 0 ? sql`false` : sql`(${sql.join(tests, sql` or `)})`
}

function likeSql(column: SQL, field: ColumnField, { operator, value, path }: Comparison): SQL {
  if (!['char', 'text', 'html', 'selection'].includes(field.kind)) {
    throw new Refusal('refused', `The operator "${operator}" needs a text field; "${path}" is not one.`)
  }
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new Refusal('refused', `The operator "${operator}" on "${path}" needs a text to look for.`)
  }
  const word = sql.raw(operator.includes('ilike') ? 'ilike' : 'like')
  // `=like` takes a pattern; the others look for the text itself, in which % and _ mean themselves.
  const pattern = operator.startsWith('=') ? String(value) : `%${escapeLike(String(value))}%`
  const test = sql`${column} ${word} ${requireText(pattern, path)}`
  return operator.startsWith('not') ? sql`(not coalesce(${test}, false))` : test
}

/** A text in which the wildcards of `like` stand for themselves. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

function operand(field: ColumnField, { value, path }: Comparison): SQL {
  switch (field.kind) {
    case 'integer':
    case 'many2one':
      return sql`${requireInteger(value, path)}::int`
    case 'float':
      return sql`${requireNumber(value, path)}::float8`
    case 'boolean':
      return sql`${Boolean(value)}::bool`
    case 'date':
      return sql`${readDate(value, path)}::date`
    case 'datetime':
      return sql`${readDateTime(value, path)}::timestamp`
    default:
      return sql`${requireText(value, path)}::text`
  }
}

function requireInteger(value: unknown, path: string): number {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= INT_MAX) return number
  throw new Refusal('refused', `${JSON.stringify(value)} is not a whole number, which "${path}" is compared with.`)
}

function requireNumber(value: unknown, path: string): number {
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new Refusal('refused', `${JSON.stringify(value)} is not a number, which "${path}" is compared with.`)
}

function requireText(value: unknown, path: string): string {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new Refusal('refused', `${JSON.stringify(value)} is not a text, which "${path}" is compared with.`)
  }
  const text = String(value)
  if (text.includes('\0')) throw new Refusal('refused', `The text compared with "${path}" has a NUL character.`)
  return text
}
