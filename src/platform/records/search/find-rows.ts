// Which rows of a model fit a domain, as far as somebody may see them, and what the database is made to do for it.
import { type SQL, sql } from '../../../database/drizzle.ts'
import { costOf, explained, rowsOfPlan, SLICE_COST_MAX } from '../../../database/query-cost.ts'
import { Refusal } from '../../../errors.ts'
import type { Env } from '../../access/env.ts'
import { isColumn } from '../../model/fields.ts'
import type { Model } from '../../model/model.ts'
import { getField } from '../../model/models.ts'
import { rowsOf } from '../../model/rows-of.ts'
import { shown } from '../condition.ts'
import { domainSql, parseDomain, requireSearchable, type Scope, visibleSql } from '../domain.ts'
import { type LongText, SearchBudget } from '../search-budget.ts'
import { costOfLinkedTexts, costOfOwnTexts } from './long-texts.ts'
import { type Span, visibleIdsSql } from './own-rows.ts'

/** Fields one search may be sorted by. */
const ORDER_TERMS_MAX = 10
/** What the planner may expect a search of the API to cost that cannot be made in slices (docs/decisions/0012). */
const WHOLE_COST_MAX = 60_000
/** Rows that are somebody's own: up to here they are found by their links, and more of them wherever one looks. */
const FEW_ROWS = { whole: 30_000, slice: 5_000 }
/** Measured, of rows whose links are asked one after the other. */
const RULE_COST_FACTOR = 3

/** Who looks in which model; `costMax` where the API asks a database that cannot stop what takes too long. */
export interface Finding {
  env: Env
  model: Model
  costMax: number | undefined
  /** What is dear is left to be made in slices. */
  mayBeLong?: boolean
  /** The slice that is looked at; the domain says so, too. */
  span?: Span | undefined
}

/** What the planner, and the length of the texts, let expect of a search. */
interface Priced {
  /** As the planner counts. */
  cost: number
  texts: readonly LongText[]
}

/** A search that would hold others up for too long where it cannot be stopped: to be made in slices of ids. */
export interface LongSearch extends Priced {
  lowest: number
  highest: number
  /** How the search is sorted, when that is by id. */
  isById?: 'asc' | 'desc' | undefined
}

/** Ids in the asked order or the model's own; or what is known of a search that may be long. */
export async function findIds(
  finding: Finding,
  domain: unknown,
  { limit, offset = 0, order }: { limit: number; offset?: number | undefined; order?: string | undefined },
): Promise<number[] | LongSearch> {
  const { env, model } = finding
  const sorted = sql`order by ${orderSql(finding, order)}`
  // Without its limit: the planner counts on finding soon what may not be there at all.
  const fitting = (where: SQL): SQL => sql`select t.id from ${rowsOf(model)} ${where} ${sorted}`
  const { where, ...priced } = await plan(finding, domain, { query: fitting, order })
  if (finding.mayBeLong === true && priced.cost > SLICE_COST_MAX) return longSearch(finding, priced, order)
  const rows = await env.db.query<{ id: number }>(sql`${fitting(where)} limit ${limit}::bigint offset ${offset}::int`)
  return rows.map((row) => row.id)
}

/** How many there are, counted up to the limit; or what is known of a count that may be long. */
export async function countRows(
  finding: Finding,
  domain: unknown,
  limit: number | undefined,
): Promise<number | LongSearch> {
  const { env, model } = finding
  const fitting = (where: SQL): SQL => sql`select 1 from ${rowsOf(model)} ${where}`
  const { where, ...priced } = await plan(finding, domain, { query: fitting })
  if (finding.mayBeLong === true && priced.cost > SLICE_COST_MAX) return longSearch(finding, priced)
  const limited = limit === undefined ? fitting(where) : sql`${fitting(where)} limit ${limit}::int`
  const rows = await env.db.query<{ count: number }>(sql`select count(*)::int as count from (${limited}) fitting`)
  return rows[0]?.count ?? 0
}

/**
 * The conditions, with the record rules in whichever form suits how many rows are one's own, and what the planner expects
 * that to cost; 0 where nobody needs to know. Refuses what would take too long, where it cannot be stopped.
 */
export async function plan(
  finding: Finding,
  domain: unknown,
  { query, order, readsAll = false }: { query: (where: SQL) => SQL; order?: string | undefined; readsAll?: boolean },
): Promise<Priced & { where: SQL }> {
  const { env, model, costMax, mayBeLong = false } = finding
  const scope = { models: env.platform.models, identity: env.identity, country: env.settings.country }
  const budget = new SearchBudget()
  const asked = domainSql({ ...scope, budget }, model, domain, 't')
  const { texts } = budget
  const rule = visibleSql(scope, model, 't')
  const own = await fewOwn(finding, scope)
  if (costMax === undefined) return { where: whereOf([asked, own ?? rule]), cost: 0, texts }
  const affordable = mayBeLong ? costMax : Math.min(costMax, WHOLE_COST_MAX)
  if (own !== undefined) {
    const where = whereOf([asked, own])
    const cost = await withTexts(finding, await costIn(env, query(where)), { texts, rows: whereOf([own]) })
    if (cost <= affordable) return { where, cost, texts }
  }
  if (rule === undefined && !readsAll && isCheap(domain, order)) return { where: whereOf([asked]), cost: 0, texts }
  // The planner takes looking up the links of a row for much dearer than it is.
  const planned = (rule === undefined ? 1 : RULE_COST_FACTOR) * (await costIn(env, query(whereOf([asked]))))
  const cost =
    planned > affordable ? planned : await withTexts(finding, planned, { texts, rows: narrowedBy(finding, domain) })
  if (cost <= affordable) return { where: whereOf([asked, rule]), cost, texts }
  throw tooLong(model)
}

/** What a search that cannot be afforded is told. */
function tooLong(model: Model): Refusal {
  return new Refusal('refused', 'this-search-would-take-too-long', { model: model.name })
}

/** With what the texts cost that are looked into. Those of a search that is long anyway are counted slice by slice. */
async function withTexts(
  { env, model, mayBeLong = false }: Finding,
  cost: number,
  { texts, rows }: { texts: readonly LongText[]; rows: SQL },
): Promise<number> {
  if (texts.length === 0) return cost
  const slices = Math.max(1, cost / SLICE_COST_MAX)
  const linked = await costOfLinkedTexts(env, texts)
  // They are looked into anew for each slice, and cannot be split.
  if (linked > WHOLE_COST_MAX) return Number.POSITIVE_INFINITY
  const own = mayBeLong && cost > SLICE_COST_MAX ? 0 : await costOfOwnTexts(env, model, { texts, where: rows })
  return cost + linked * slices + own
}

/** The rows that the other conditions leave, where all of them have to hold: those are looked at first, for they cost less. */
function narrowedBy({ env, model }: Finding, domain: unknown): SQL {
  const tokens = parseDomain(domain)
  if (!tokens.every((token) => Array.isArray(token))) return sql``
  const cheap = tokens.filter(([, operator]) => !operator.toLowerCase().includes('like'))
  return whereOf([domainSql({ models: env.platform.models, identity: env.identity }, model, cheap, 't')])
}

/** The first rows of what is left whose texts take no longer to look into than a webhook may wait, and what that costs. */
export async function spanOfTexts(
  env: Env,
  model: Model,
  { texts, ...asked }: { left: Span; rows: number; isUp: boolean; texts: readonly LongText[] },
): Promise<{ span: Span; cost: number }> {
  for (let { rows } = asked; ; ) {
    const span = await spanOf(env, model, { ...asked, rows })
    const where = sql`where t.id between ${span.from}::bigint and ${span.to}::bigint`
    const cost = await costOfOwnTexts(env, model, { texts, where })
    if (cost <= SLICE_COST_MAX) return { span, cost }
    if (rows === 1 && cost > WHOLE_COST_MAX) throw tooLong(model)
    if (rows === 1) return { span, cost }
    rows = Math.max(1, Math.floor((rows * SLICE_COST_MAX) / cost))
  }
}

/** Refuses to go on with a search whose texts have cost as much as one may. */
export function requireAffordable({ platform: { queryCostMax } }: Env, model: Model, cost: number): void {
  if (cost > (queryCostMax ?? Number.POSITIVE_INFINITY)) throw tooLong(model)
}

/**
 * The rule as a list of ids, for whoever has few. Read first: as a part of the search they would be looked for once for each row
 * of the others, whenever the planner counts on one such row.
 */
async function fewOwn({ env, model, span }: Finding, scope: Scope): Promise<SQL | undefined> {
  const ids = visibleIdsSql(scope, model, span)
  const most = span === undefined ? FEW_ROWS.whole : FEW_ROWS.slice
  if (ids === undefined || rowsOfPlan(await env.db.query(explained(ids))) > most) return undefined
  const rows = sql`select coalesce(array_agg(chosen.id), '{}')::text as ids from (${ids}) chosen`
  const [own] = await env.db.query<{ ids: string }>(rows)
  return sql`t.id = any(${own?.ids}::bigint[])`
}

async function costIn({ db }: Env, query: SQL): Promise<number> {
  return costOf(await db.query(explained(query)))
}

/** What is known of a search that is to be made in slices. */
export async function longSearch({ env, model }: Finding, priced: Priced, order = ''): Promise<LongSearch> {
  const [span] = await env.db.query<{ lowest: number | null; highest: number | null }>(
    sql`select min(t.id) as lowest, max(t.id) as highest from ${rowsOf(model)}`,
  )
  const [, byId, direction] = /^\s*(id)\b\s*(desc)?/i.exec(order.trim() === '' ? model.order : order) ?? []
  const way = direction === undefined ? 'asc' : 'desc'
  const isById = byId === undefined ? undefined : way
  return { ...priced, lowest: span?.lowest ?? 1, highest: span?.highest ?? 0, isById }
}

/** The first rows of what is left, from the lower end or from the upper one: ids have gaps of any length. */
async function spanOf(
  { db }: Env,
  model: Model,
  { left, rows, isUp }: { left: Span; rows: number; isUp: boolean },
): Promise<Span> {
  const [last] = await db.query<{ id: number }>(sql`select t.id from ${rowsOf(model)}
    where t.id between ${left.from}::bigint and ${left.to}::bigint
    order by t.id ${sql.raw(isUp ? 'asc' : 'desc')} offset ${rows - 1}::int limit 1`)
  if (last === undefined) return left
  return isUp ? { from: left.from, to: last.id } : { from: last.id, to: left.to }
}

function whereOf(conditions: readonly (SQL | undefined)[]): SQL {
  const present = conditions.filter((condition) => condition !== undefined).map((each) => sql`(${each})`)
  return present.length === 0 ? sql`` : sql`where ${sql.join(present, sql` and `)}`
}

function orderSql({ env, model }: Finding, asked: string | undefined): SQL {
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
  if (name !== 'id') {
    const field = getField(model, name)
    if (!isOwn) requireSearchable(identity, model, name, field)
    if (!isColumn(field)) throw new Refusal('refused', 'api-field-cannot-sorted-by', { name, model: model.name })
  }
  return sql`t.${sql.identifier(name)} ${sql.raw(direction.toLowerCase())}`
}

/** Everything, or what conditions on ids say, in an order that there is: no search needs a plan for that. */
function isCheap(domain: unknown, order = ''): boolean {
  if (!/^(?:id(?: +(?:asc|desc))?)?$/i.test(order.trim())) return false
  const tokens = Array.isArray(domain) ? domain : []
  return tokens.every((token) => Array.isArray(token) && token[0] === 'id')
}
