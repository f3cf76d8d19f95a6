// Which rows of a model fit a domain, as far as somebody may see them, and what the database is made to do for it.
import { type SQL, sql } from '../../../database/drizzle.ts'
import { folded } from '../../../database/folded.ts'
import { Refusal } from '../../../errors.ts'
import type { Env } from '../../access/env.ts'
import type { ColumnField } from '../../model/declaration.ts'
import { isColumn } from '../../model/fields.ts'
import type { Model } from '../../model/model.ts'
import { getField } from '../../model/models.ts'
import { rowsOf } from '../../model/rows-of.ts'
import { shown } from '../condition.ts'
import { domainSql, requireSearchable, type Scope, visibleSql } from '../domain.ts'
import { SearchBudget } from '../search-budget.ts'
import { visibleIdsSql } from './own-rows.ts'

/** Fields one search may be sorted by. */
const ORDER_TERMS_MAX = 10
/** Rows that are somebody's own: up to here they are found by their links, and more of them wherever one looks. */
const FEW_ROWS = 30_000

/** Who looks in which model. */
export interface ModelSearch {
  env: Env
  model: Model
}

/** Ids in the asked order or the model's own. */
export async function findIds(
  finding: ModelSearch,
  domain: unknown,
  { limit, offset = 0, order }: { limit: number; offset?: number | undefined; order?: string | undefined },
): Promise<number[]> {
  const { env, model } = finding
  const where = await conditions(finding, domain, { isPage: true })
  const rows = await env.db.query<{ id: number }>(
    sql`select t.id from ${rowsOf(model)} ${where} order by ${orderSql(finding, order)}
      limit ${limit}::bigint offset ${offset}::int`,
  )
  return rows.map((row) => row.id)
}

/** How many there are, counted up to the limit. */
export async function countRows(finding: ModelSearch, domain: unknown, limit: number | undefined): Promise<number> {
  const { env, model } = finding
  const fitting = sql`select 1 from ${rowsOf(model)} ${await conditions(finding, domain)}`
  const limited = limit === undefined ? fitting : sql`${fitting} limit ${limit}::int`
  const rows = await env.db.query<{ count: number }>(sql`select count(*)::int as count from (${limited}) fitting`)
  return rows[0]?.count ?? 0
}

/** What was asked for, and the record rules in whichever form suits how many rows are one's own. */
export async function conditions({ env, model }: ModelSearch, domain: unknown, { isPage = false } = {}): Promise<SQL> {
  const scope = { models: env.platform.models, identity: env.identity, country: env.settings.country }
  const asked = domainSql({ ...scope, isPage, budget: new SearchBudget() }, model, domain, 't')
  return whereOf([asked, (await fewOwn({ env, model }, scope)) ?? visibleSql(scope, model, 't')])
}

/**
 * The rule as a list of ids, for everybody who has few. Read first: as a part of the search they would be looked for once for each row
 * of the others, whenever the planner counts on one such row.
 */
async function fewOwn({ env, model }: ModelSearch, scope: Scope): Promise<SQL | undefined> {
  const ids = visibleIdsSql(scope, model)
  if (ids === undefined || (await expectedRows(env, ids)) > FEW_ROWS) return undefined
  const rows = sql`select coalesce(array_agg(chosen.id), '{}')::text as ids from (${ids}) chosen`
  const [own] = await env.db.query<{ ids: string }>(rows)
  return sql`t.id = any(${own?.ids}::bigint[])`
}

/** How many rows the planner expects of a query. */
async function expectedRows({ db }: Env, query: SQL): Promise<number> {
  const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    sql`explain (format json) ${query}`,
  )
  if (row === undefined) throw new Error('the database did not explain the query')
  return row['QUERY PLAN'][0].Plan['Plan Rows']
}

function whereOf(conditions: readonly (SQL | undefined)[]): SQL {
  const present = conditions.filter((condition) => condition !== undefined).map((each) => sql`(${each})`)
  return present.length === 0 ? sql`` : sql`where ${sql.join(present, sql` and `)}`
}

function orderSql({ env, model }: ModelSearch, asked: string | undefined): SQL {
  const isOwn = asked === undefined || asked.trim() === ''
  const words = (isOwn ? model.order : asked).split(',')
  if (words.length > ORDER_TERMS_MAX) {
    throw new Refusal('refused', 'api-search-sorted-by-at-most-fields', { order_terms: ORDER_TERMS_MAX })
  }
  const terms = words.map((term) => orderTerm(env, model, term, isOwn))
  return sql`${sql.join(terms, sql`, `)}, t.id desc`
}

function orderTerm({ identity }: Env, model: Model, term: string, isOwn: boolean): SQL {
  const [, name = '', direction = 'asc'] = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i.exec(term) ?? []
  if (name === '') throw new Refusal('refused', 'api-not-order-name-desc', { value: shown(term.trim()) })
  const column = sql`t.${sql.identifier(name)}`
  const way = sql.raw(direction.toLowerCase())
  if (name === 'id') return sql`${column} ${way}`
  const field = getField(model, name)
  if (!isOwn) requireSearchable(identity, model, name, field)
  if (!isColumn(field)) throw new Refusal('refused', 'api-field-cannot-sorted-by', { name, model: model.name })
  return sql`${isSortedAsRead(model, name, field) ? folded(column) : column} ${way}`
}

/**
 * A name stands where people look for it: "Ábel" beside "Abel", and small letters beside capitals. Not in lists that grow with calls:
 * to fold a hundred thousand names takes seconds without an index of them.
 */
function isSortedAsRead({ order }: Model, name: string, { kind, isIndexed }: ColumnField): boolean {
  return kind === 'char' && (isIndexed === 'folded' || (isName(name) && /^\w+/.exec(order)?.[0] === name))
}

function isName(field: string): boolean {
  return field === 'name' || field.endsWith('_name')
}
