import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { mayAccess } from '../access/access.ts'
import { type Identity, NOBODY } from '../access/identity.ts'
import type { Models } from '../model/declaration.ts'
import type { Model } from '../model/model.ts'
import { ruleDomain } from '../model/rules.ts'
import { ruleSql } from '../records/domain.ts'
import type { Domain } from '../records/domain-syntax.ts'
import type { Gathered } from './gathered-changes.ts'
import { choiceOf, recordsByUser } from './named-people.ts'

/** Changes of one model, as a browser is told of them. */
interface VisibleChange {
  model: string
  /** Null: each record that one may read may have changed. */
  ids: readonly number[] | null
  gone?: true
  calls?: readonly number[] | null
}

interface Parts {
  db: Queryable
  models: Models
  /** The model whose records `calls` names. */
  callModel: string
}

type Ids = ReadonlySet<number> | null
/** Records of the batch, and which of them. */
interface Asked {
  ids: ReadonlySet<number>
  key: string
}

/** Rules may look at what the person may not read. */
const ELEVATED: Identity = { ...NOBODY, isElevated: true }

/**
 * What each identity may hear of a batch of changes: of models that it may read only, and ids that its record rules show
 * it. Whom records name is asked once for everybody, and so is every other rule that applies to several.
 */
export class VisibleChanges {
  readonly #parts: Parts
  readonly #batch: readonly Gathered[]
  readonly #answers = new Map<string, Promise<number[]>>()
  readonly #byUser = new Map<string, Promise<Map<number, number[]>>>()

  constructor(parts: Parts, batch: readonly Gathered[]) {
    this.#parts = parts
    this.#batch = batch
  }

  async of(identity: Identity): Promise<VisibleChange[]> {
    const changes: VisibleChange[] = []
    for (const [at, gathered] of this.#batch.entries()) {
      const change = await this.#visible(identity, gathered, at)
      if (change !== undefined) changes.push(change)
    }
    return changes
  }

  async #visible(identity: Identity, { model: name, isGone, ids, calls }: Gathered, at: number) {
    const gone = isGone ? ({ gone: true } as const) : {}
    const seen = isGone ? this.#seenOfGone(identity, name, ids) : await this.#seen(identity, name, ids, `${at} ids`)
    const { callModel } = this.#parts
    const seenCalls = calls?.size === 0 ? [] : await this.#seen(identity, callModel, calls, `${at} calls`)
    const hasCalls = seenCalls !== undefined && seenCalls?.length !== 0
    if ((seen === undefined || seen?.length === 0) && !hasCalls) return undefined
    // Anyone who may read the call but not the records hears of the call only.
    const own = { model: name, ids: seen === undefined ? [] : seen, ...gone }
    return hasCalls ? { ...own, calls: seenCalls } : own
  }

  /** The rules cannot be asked about records that are gone: anyone who is under one is not given their ids. */
  #seenOfGone(identity: Identity, name: string, ids: Ids): readonly number[] | null | undefined {
    const model = this.#readable(identity, name)
    if (model === undefined) return undefined
    return ids === null || ruleDomain(model, identity).length > 0 ? null : [...ids]
  }

  /** Undefined for a model that the identity may not read. */
  async #seen(identity: Identity, name: string, ids: Ids, key: string): Promise<readonly number[] | null | undefined> {
    const model = this.#readable(identity, name)
    if (model === undefined || ids === null) return model === undefined ? undefined : null
    const domain = ruleDomain(model, identity)
    if (domain.length === 0 || ids.size === 0) return [...ids]
    const choice = choiceOf(this.#parts.models, model, domain, identity.userId)
    if (choice === undefined) return this.#fitting(model, domain, { ids, key })
    const named = await this.#named(model, choice.paths, { ids, key })
    const own = named.get(identity.userId) ?? []
    if (choice.others.length === 0) return own
    return [...new Set([...own, ...(await this.#fitting(model, choice.others, { ids, key }))])]
  }

  /** By user, the records that name them along one of the paths. */
  #named(model: Model, paths: readonly string[], { ids, key }: Asked): Promise<Map<number, number[]>> {
    const question = `${key} ${paths.join()}`
    const asked = this.#byUser.get(question) ?? recordsByUser(this.#parts, model, { paths, ids })
    this.#byUser.set(question, asked)
    return asked
  }

  #fitting(model: Model, domain: Domain, { ids, key }: Asked): Promise<number[]> {
    const question = `${key} ${JSON.stringify(domain)}`
    const asked = this.#answers.get(question) ?? this.#ask(model, domain, ids)
    this.#answers.set(question, asked)
    return asked
  }

  #readable(identity: Identity, name: string): Model | undefined {
    const { models } = this.#parts
    const model = models.has(name) ? models.get(name) : undefined
    return model !== undefined && mayAccess(identity, model, 'read') ? model : undefined
  }

  async #ask(model: Model, domain: Domain, ids: ReadonlySet<number>): Promise<number[]> {
    const { db, models } = this.#parts
    const rule = ruleSql({ models, identity: ELEVATED }, model, domain, 't')
    const rows = await db.query<{ id: number }>(
      sql`select t.id from ${sql.identifier(model.table)} t where t.id = any(${sql.param([...ids])}::bigint[]) and (${rule})`,
    )
    return rows.map(({ id }) => id)
  }
}
