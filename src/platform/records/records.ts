import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { costOf, explained, rowsOfPlan, SLICE_COST_MAX } from '../../database/query-cost.ts'
import { Refusal } from '../../errors.ts'
import { ID_MAX } from '../../lenient-values.ts'
import { type Operation, requireAccess } from '../access/access.ts'
import type { Env } from '../access/env.ts'
import { isColumn } from '../model/fields.ts'
import type { Model, Values } from '../model/model.ts'
import { getField } from '../model/models.ts'
import { rowsOf } from '../model/rows-of.ts'
import { shown } from './condition.ts'
import { domainSql, parseDomain, requireSearchable, visibleIdsSql, visibleSql } from './domain.ts'
import type { Domain } from './domain-syntax.ts'
import { type CreateOthers, withoutNew } from './new-links.ts'
import { readRows, requireReadFits, type WireRow } from './record-read.ts'
import { createRecord, removeRecords, writeRecords } from './record-write.ts'

/** Rows one search may answer; more are read page by page. */
export const SEARCH_ROWS_MAX = 10_000
/** Rows one call may create, change or remove. */
const BATCH_ROWS_MAX = 1_000
/** Fields one search may be sorted by. */
const ORDER_TERMS_MAX = 10

export interface SearchOptions {
  offset?: number | undefined
  limit?: number | undefined
  order?: string | undefined
}

/** A search that would hold others up for too long where it cannot be stopped: to be made in slices of ids. */
export interface LongSearch {
  /** As the planner counts. */
  cost: number
  lowest: number
  highest: number
  /** How the search is sorted, when that is by id. */
  isById?: 'asc' | 'desc' | undefined
}

interface Uncapped {
  /** For a search that is put together of several. */
  isUncapped?: boolean
}
const ORDERS = ['asc', 'desc'] as const
const UNCAPPED = Number.MAX_SAFE_INTEGER
/** Rows that are somebody's own: up to here they are found by their links, and more of them wherever one looks. */
const FEW_ROWS = 30_000
/** What the planner may expect of that, which is done at once. */
const FEW_COST_MAX = 30_000
/** Measured, of rows whose links are asked one after the other. */
const RULE_COST_FACTOR = 3

/** Records of one model, as somebody: the one door to the store. Every method checks access and record rules. */
class Records {
  readonly #env: Env
  readonly #model: Model
  readonly #isForApi: boolean

  constructor(env: Env, modelName: string, { isForApi = false } = {}) {
    this.#env = env
    this.#model = env.platform.models.get(modelName)
    this.#isForApi = isForApi
  }

  /** Ids that fit the domain, in the asked order or the model's own. */
  async search(
    domain: unknown = [],
    { isUncapped = false, ...options }: SearchOptions & Uncapped = {},
  ): Promise<number[]> {
    const found = await this.#search(domain, options, isUncapped ? UNCAPPED : SEARCH_ROWS_MAX)
    if (!Array.isArray(found)) throw this.#tooLong()
    return found
  }

  /** The same, or what is known of a search that is too long to be made at once. */
  searchUnlessLong(domain: unknown = [], options: SearchOptions = {}): Promise<number[] | LongSearch> {
    return this.#search(domain, options, SEARCH_ROWS_MAX, SLICE_COST_MAX)
  }

  async #search(
    domain: unknown,
    { limit = SEARCH_ROWS_MAX, offset = 0, order }: SearchOptions,
    rowsMax: number,
    atOnceMax?: number,
  ): Promise<number[] | LongSearch> {
    this.#require('read')
    const sorted = sql`order by ${this.#order(order)}`
    // Without its limit: the planner counts on finding soon what may not be there at all.
    const { where, cost } = await this.#planned(
      domain,
      (each) => sql`select t.id from ${this.#table} ${each} ${sorted}`,
      order,
    )
    if (atOnceMax !== undefined && cost > atOnceMax) return this.#long(cost, order)
    const rows = await this.#env.db.query<{ id: number }>(
      sql`select t.id from ${this.#table} ${where} ${sorted} limit ${Math.min(limit, rowsMax)}::int offset ${offset}::int`,
    )
    return rows.map((row) => row.id)
  }

  /** How many fit the domain; counting ends at the limit. */
  async searchCount(domain: unknown = [], limit?: number): Promise<number> {
    const counted = await this.#count(domain, limit)
    if (typeof counted !== 'number') throw this.#tooLong()
    return counted
  }

  /** The same, or what is known of a count that is too long to be made at once. */
  countUnlessLong(domain: unknown = [], limit?: number): Promise<number | LongSearch> {
    return this.#count(domain, limit, SLICE_COST_MAX)
  }

  async #count(domain: unknown, limit: number | undefined, atOnceMax?: number): Promise<number | LongSearch> {
    this.#require('read')
    const { where, cost } = await this.#planned(domain, (each) => sql`select 1 from ${this.#table} ${each}`)
    if (atOnceMax !== undefined && cost > atOnceMax) return this.#long(cost)
    const fitting = sql`from ${this.#table} ${where}`
    const counted = limit === undefined ? fitting : sql`from (select 1 ${fitting} limit ${limit}::int) fitting`
    const rows = await this.#env.db.query<{ count: number }>(sql`select count(*)::int as count ${counted}`)
    return rows[0]?.count ?? 0
  }

  /** Rows of ids that were just found, in that order. */
  readFound(ids: readonly number[], fields: readonly string[] | undefined): Promise<WireRow[]> {
    return this.#readRows(ids, fields)
  }

  /** Refuses fields of records that are too much for one answer. */
  requireFits(ids: readonly number[], fields: readonly string[] | undefined): Promise<void> {
    return requireReadFits(this.#env, this.#model, ids, fields)
  }

  async searchRead(domain: unknown, fields: readonly string[] | undefined, options: SearchOptions): Promise<WireRow[]> {
    return this.#readRows(await this.search(domain, options), fields)
  }

  /** The records in the order of `ids`; refuses when one does not exist or is not visible. */
  async read(ids: readonly number[], fields?: readonly string[]): Promise<WireRow[]> {
    this.#require('read')
    await this.requireVisible(ids)
    return this.#readRows(ids, fields)
  }

  async create(valuesList: readonly Values[]): Promise<number[]> {
    this.#require('create')
    this.#requireFewer(valuesList.length)
    const ids: number[] = []
    for (const given of valuesList) {
      const { values, createBack } = await withoutNew(this.#model, given, this.#createOthers)
      const id = await createRecord(this.#env, this.#model, values)
      await createBack([id])
      ids.push(id)
    }
    await this.#requireStillVisible(ids)
    return ids
  }

  async write(ids: readonly number[], values: Values): Promise<void> {
    this.#require('write')
    this.#requireFewer(ids.length)
    await this.requireVisible(ids, 'for update')
    const { values: own, createBack } = await withoutNew(this.#model, values, this.#createOthers)
    await writeRecords(this.#env, this.#model, ids, own)
    await createBack(ids)
    await this.#requireStillVisible(ids)
  }

  async unlink(ids: readonly number[]): Promise<void> {
    this.#require('unlink')
    this.#requireFewer(ids.length)
    await this.requireVisible(ids, 'for update')
    await removeRecords(this.#env, this.#model, ids)
  }

  /** Ids with their display names whose name contains the text, or compares with it as the operator says. */
  async nameSearch(
    name: string,
    { operator, domain, limit }: { operator: string; domain: unknown; limit: number },
  ): Promise<[number, string][]> {
    // Before what was given, so that an operator without its condition cannot take this one.
    const given = parseDomain(domain)
    const rows = await this.searchRead([...this.#named(name, operator), ...given], ['display_name'], { limit })
    return rows.map((row) => [row.id, String(row.display_name)])
  }

  /** The condition of a name; records that are named by their number are found by it. */
  #named(name: string, operator: string): Domain {
    if (name === '') return []
    const column = this.#model.display.columns[0] ?? 'name'
    if (column !== 'id') return [[column, operator, name]]
    const number = /\d+/.exec(name)?.[0] ?? '0'
    return [['id', '=', Number(number) > ID_MAX ? 0 : number]]
  }

  /** Throws when one of the records does not exist or is hidden by a rule: to the caller that is the same. */
  async requireVisible(ids: readonly number[], lock: 'for update' | '' = ''): Promise<void> {
    const missing = await this.#listHidden(ids, lock)
    if (missing.length === 0) return
    const named = missing.join(', ')
    throw new Refusal('not-found', `There is no record ${named} in ${this.#model.name}, or it is not yours to see.`)
  }

  /** Those of the records that exist and that no rule hides. */
  async listVisible(ids: readonly number[]): Promise<number[]> {
    const hidden = new Set(await this.#listHidden(ids))
    return ids.filter((id) => !hidden.has(id))
  }

  /** A record one may not see afterwards is one that one may not make, of whatever there was before. */
  async #requireStillVisible(ids: readonly number[]): Promise<void> {
    if ((await this.#listHidden(ids)).length === 0) return
    const { name } = this.#model
    throw new Refusal('forbidden', `With these values the record of ${name} would not be yours to see.`)
  }

  /** As the same identity: whoever links what they may not create is refused. */
  readonly #createOthers: CreateOthers = (model, list) => new Records(this.#env, model).create(list)

  /** Those that do not exist or that a rule hides. */
  async #listHidden(ids: readonly number[], lock: 'for update' | '' = ''): Promise<number[]> {
    if (ids.length === 0) return []
    const unique = [...new Set(ids)]
    const visible = visibleSql({ models: this.#env.platform.models, identity: this.#env.identity }, this.#model, 't')
    const rows = await this.#env.db.query<{ id: number }>(
      sql`select t.id from ${this.#table} where t.id in (${idList(unique)}) ${visible === undefined ? sql`` : sql`and (${visible})`} order by t.id ${sql.raw(lock)}`,
    )
    if (rows.length === unique.length) return []
    const found = new Set(rows.map((row) => row.id))
    return unique.filter((id) => !found.has(id))
  }

  #readRows(ids: readonly number[], fields: readonly string[] | undefined): Promise<WireRow[]> {
    return readRows(this.#env, this.#model, ids, { names: fields, isLimited: this.#isForApi })
  }

  /**
   * The conditions, with the record rules in whichever form suits how many rows are one's own, and what the planner expects
   * that to cost; 0 where nobody needs to know. Refuses what would take too long, where it cannot be stopped.
   */
  async #planned(domain: unknown, query: (where: SQL) => SQL, order?: string): Promise<{ where: SQL; cost: number }> {
    const scope = { models: this.#env.platform.models, identity: this.#env.identity }
    const asked = domainSql(scope, this.#model, domain, 't')
    const rule = visibleSql(scope, this.#model, 't')
    const own = await this.#fewOwn(visibleIdsSql(scope, this.#model))
    const few = own && whereOf([asked, own])
    const queryCostMax = this.#isForApi ? this.#env.platform.queryCostMax : undefined
    if (queryCostMax === undefined) return { where: few ?? whereOf([asked, rule]), cost: 0 }
    // Never in slices, each of which would look for all of one's own rows again.
    if (few !== undefined && (await this.#cost(query(few))) <= FEW_COST_MAX) return { where: few, cost: 0 }
    if (rule === undefined && isCheap(domain, order)) return { where: whereOf([asked]), cost: 0 }
    // The planner takes looking up the links of a row for much dearer than it is.
    const cost = (rule === undefined ? 1 : RULE_COST_FACTOR) * (await this.#cost(query(whereOf([asked]))))
    if (cost > queryCostMax) throw this.#tooLong()
    return { where: whereOf([asked, rule]), cost }
  }

  /** The rule as a list of ids, for whoever has few. */
  async #fewOwn(ids: SQL | undefined): Promise<SQL | undefined> {
    if (ids === undefined) return undefined
    const plan = await this.#env.db.query(explained(ids))
    if (rowsOfPlan(plan) > FEW_ROWS) return undefined
    return sql`t.id in (select distinct chosen.id from (${ids}) chosen)`
  }

  async #cost(query: SQL): Promise<number> {
    return costOf(await this.#env.db.query(explained(query)))
  }

  async #long(cost: number, order?: string): Promise<LongSearch> {
    const [span] = await this.#env.db.query<{ lowest: number | null; highest: number | null }>(
      sql`select min(t.id) as lowest, max(t.id) as highest from ${this.#table}`,
    )
    const asked = order === undefined || order.trim() === '' ? this.#model.order : order
    const isDown = /^\s*id\s+desc\b/i.test(asked)
    const isById = /^\s*id\b/i.test(asked) ? ORDERS[Number(isDown)] : undefined
    return { cost, lowest: span?.lowest ?? 1, highest: span?.highest ?? 0, isById }
  }

  #tooLong(): Refusal {
    return new Refusal(
      'refused',
      `This search of ${this.#model.name} would take too long: narrow it by a date, a contact or a status, look for fewer texts, or follow fewer links.`,
    )
  }

  get #table(): SQL {
    return rowsOf(this.#model)
  }

  #require(operation: Operation): void {
    requireAccess(this.#env.identity, this.#model, operation)
  }

  #requireFewer(count: number): void {
    if (count > BATCH_ROWS_MAX) throw new Refusal('refused', `One call may touch at most ${BATCH_ROWS_MAX} records.`)
  }

  #order(asked: string | undefined): SQL {
    const isOwn = asked === undefined || asked.trim() === ''
    const words = (isOwn ? this.#model.order : asked).split(',')
    if (words.length > ORDER_TERMS_MAX) {
      throw new Refusal('refused', `A search is sorted by at most ${ORDER_TERMS_MAX} fields.`)
    }
    const terms = words.map((term) => this.#orderTerm(term, isOwn))
    return sql`${sql.join(terms, sql`, `)}, t.id desc`
  }

  #orderTerm(term: string, isOwn: boolean): SQL {
    const [, name = '', direction = 'asc'] = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i.exec(term) ?? []
    if (name === '') throw new Refusal('refused', `${shown(term.trim())} is not an order such as "name desc".`)
    if (name !== 'id') {
      const field = getField(this.#model, name)
      if (!isOwn) requireSearchable(this.#env.identity, this.#model, name, field)
      if (!isColumn(field))
        throw new Refusal('refused', `The field "${name}" of ${this.#model.name} cannot be sorted by.`)
    }
    return sql`t.${sql.identifier(name)} ${sql.raw(direction.toLowerCase())}`
  }
}

function whereOf(conditions: readonly (SQL | undefined)[]): SQL {
  const present = conditions.filter((condition) => condition !== undefined).map((each) => sql`(${each})`)
  return present.length === 0 ? sql`` : sql`where ${sql.join(present, sql` and `)}`
}

/** Records of a model, as the identity of the environment. */
export function records(env: Env, modelName: string): Records {
  return new Records(env, modelName)
}

/** The same for whoever calls the API: what they search and read may cost so much and no more. */
export function limitedRecords(env: Env, modelName: string): Records {
  return new Records(env, modelName, { isForApi: true })
}

/** Everything, or what conditions on ids say, in an order that there is: no search needs a plan for that. */
function isCheap(domain: unknown, order = ''): boolean {
  if (!/^(?:id(?: +(?:asc|desc))?)?$/i.test(order.trim())) return false
  const tokens = Array.isArray(domain) ? domain : []
  return tokens.every((token) => Array.isArray(token) && token[0] === 'id')
}
