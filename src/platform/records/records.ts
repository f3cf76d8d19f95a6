import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { ID_MAX } from '../../lenient-values.ts'
import { type Operation, requireAccess } from '../access/access.ts'
import type { Env } from '../access/env.ts'
import type { Model, Values } from '../model/model.ts'
import { rowsOf } from '../model/rows-of.ts'
import { parseDomain, visibleSql } from './domain.ts'
import type { Domain } from './domain-syntax.ts'
import { type Others, withoutNew } from './new-links.ts'
import { readRows, type WireRow } from './record-read.ts'
import { createRecord, removeRecords, writeRecords } from './record-write.ts'
import { countRows, findIds, type ModelSearch } from './search/find-rows.ts'
import { readGroups, type WireGroup } from './search/group-rows.ts'
import type { AskedGroups } from './search/grouping.ts'
import { allTogether } from './together.ts'
import { requireFewer, requireWriteFits } from './write-budget.ts'

/** Rows one search may answer; more are read page by page. */
export const SEARCH_ROWS_MAX = 10_000
/** Records that a refusal names, of all that are missing. */
const NAMED_MAX = 10

interface SearchOptions {
  offset?: number | undefined
  limit?: number | undefined
  order?: string | undefined
}

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
  async search(domain: unknown = [], { limit = SEARCH_ROWS_MAX, ...options }: SearchOptions = {}): Promise<number[]> {
    this.#require('read')
    return findIds(this.#finding, domain, { limit: Math.min(limit, SEARCH_ROWS_MAX), ...options })
  }

  /** How many fit the domain; counting ends at the limit. */
  async searchCount(domain: unknown = [], limit?: number): Promise<number> {
    this.#require('read')
    return countRows(this.#finding, domain, limit)
  }

  /** The rows that fit the domain in groups, with what is reckoned of each. */
  async readGroup(domain: unknown, asked: AskedGroups & Pick<SearchOptions, 'limit' | 'order'>): Promise<WireGroup[]> {
    this.#require('read')
    return readGroups(this.#finding, domain, asked)
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
    this.#requireFits(valuesList)
    return allTogether(this.#env, async () => {
      const ids: number[] = []
      for (const given of valuesList) {
        const { values, writeBack } = await withoutNew(this.#env, this.#model, given, this.#others)
        const id = await createRecord(this.#env, this.#model, values)
        await writeBack([id])
        ids.push(id)
      }
      await this.#requireStillVisible(ids, 'create')
      return ids
    })
  }

  async write(ids: readonly number[], values: Values): Promise<void> {
    this.#require('write')
    this.#requireFits([values], ids.length)
    await this.requireVisible(ids, 'write', 'for update')
    for (const check of this.#model.checks ?? []) await check.requireRoom?.(this.#env, values, ids)
    await allTogether(this.#env, async () => {
      const { values: own, writeBack } = await withoutNew(this.#env, this.#model, values, this.#others)
      await writeRecords(this.#env, this.#model, ids, own)
      await writeBack(ids)
      await this.#requireStillVisible(ids, 'write')
    })
  }

  async unlink(ids: readonly number[]): Promise<void> {
    this.#require('unlink')
    requireFewer(ids.length)
    await this.requireVisible(ids, 'unlink', 'for update')
    await allTogether(this.#env, () => removeRecords(this.#env, this.#model, ids))
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

  /** Throws when one of the records does not exist, or a rule keeps it from this: to the caller that is the same. */
  async requireVisible(
    ids: readonly number[],
    operation: Operation = 'read',
    lock: 'for update' | '' = '',
  ): Promise<void> {
    const missing = await this.#listHidden(ids, operation, lock)
    if (missing.length === 0) return
    const named = missing.slice(0, NAMED_MAX).join(', ') + (missing.length > NAMED_MAX ? ', …' : '')
    throw new Refusal('not-found', 'no-such-record', { named, model: this.#model.name })
  }

  /** Those of the records that exist and that no rule keeps from this. */
  async listVisible(ids: readonly number[], operation: Operation = 'read'): Promise<number[]> {
    const hidden = new Set(await this.#listHidden(ids, operation))
    return ids.filter((id) => !hidden.has(id))
  }

  /** A record one may not see afterwards is one that one may not make, of whatever there was before. */
  async #requireStillVisible(ids: readonly number[], operation: Operation): Promise<void> {
    if ((await this.#listHidden(ids, operation)).length === 0) return
    const { name } = this.#model
    throw new Refusal('forbidden', 'with-these-values-record-would-not', { name })
  }

  /** As the same identity: anyone who writes with a record what they may not write by itself is refused. */
  readonly #others: Others = {
    create: (model, list) => new Records(this.#env, model).create(list),
    write: (model, id, values) => new Records(this.#env, model).write([id], values),
    unlink: (model, id) => new Records(this.#env, model).unlink([id]),
  }

  /** Those that do not exist, or that a rule keeps from this. */
  async #listHidden(ids: readonly number[], operation: Operation, lock: 'for update' | '' = ''): Promise<number[]> {
    if (ids.length === 0) return []
    const unique = [...new Set(ids)]
    const scope = { models: this.#env.platform.models, identity: this.#env.identity }
    const visible = visibleSql(scope, this.#model, 't', operation)
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

  get #table(): SQL {
    return rowsOf(this.#model)
  }

  #require(operation: Operation): void {
    requireAccess(this.#env.identity, this.#model, operation)
  }

  /** What the service itself writes is only so many rows. */
  #requireFits(list: readonly Values[], times = 1): void {
    if (this.#isForApi) requireWriteFits(this.#env.platform.models, { model: this.#model, list, times })
    else requireFewer(list.length * times)
  }

  get #finding(): ModelSearch {
    return { env: this.#env, model: this.#model }
  }
}

/** Records of a model, as the identity of the environment. */
export function records(env: Env, modelName: string): Records {
  return new Records(env, modelName)
}

/** The same for callers of the API: what they read and write may be so much and no more. */
export function limitedRecords(env: Env, modelName: string): Records {
  return new Records(env, modelName, { isForApi: true })
}
