import { Cached, CachedByKey, type Memory } from '../../database/cached.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { forgetOldest } from '../../forget-oldest.ts'
import { storedTime } from '../../time.ts'
import { GROUP, type Identity } from '../access/identity.ts'
import { findKeyByHash, hashKey } from './api-keys.ts'
import { findServiceUser, WEBHOOK_USER } from './service-users.ts'
import { type FoundSession, findSession, touchSession } from './sessions.ts'

/** Identities kept in memory at once; past it the oldest is read again when it is needed. */
const KNOWN_MAX = 5_000
const LAST_USED_STEP_MS = 60_000
const LAST_SEEN_STEP_MS = 5 * 60_000

interface UserRow {
  id: number
  login: string
  active: boolean | null
  share: boolean | null
  partner_id: number | null
  external_id: string | null
  groups: string[] | null
}

const LOAD_USER = statement<UserRow, { id: number }>(
  'identity_load',
  sql`with recursive held(id) as (
        select group_id from res_groups_users_rel where user_id = ${param('id')}::bigint
        union select i.implied_id from res_groups_implied_rel i join held on held.id = i.group_id
      )
      select u.id, u.login, u.active, u.share, u.partner_id, u.external_id,
        (select array_agg(g.external_id) from res_groups g join held on held.id = g.id) as groups
      from res_users u where u.id = ${param('id')}::bigint`,
)

interface KnownKey {
  name: string
  userId: number
  expiresAt: string | undefined
  /** When its use was last written down, in milliseconds. */
  usedAt: number
}

/**
 * Who a key, a cookie or an id stands for. Kept in memory and forgotten in every process when users, groups or keys
 * change (channel `connect_identity`).
 */
export class Identities implements Memory {
  readonly channels = ['connect_identity'] as const
  readonly #db: Queryable
  readonly #clock: () => Date
  readonly #users = new CachedByKey((userId: number) => this.#load(userId), { sizeMax: KNOWN_MAX })
  readonly #keys = new CachedByKey((hash: string) => this.#loadKey(hash), { sizeMax: KNOWN_MAX })
  /** When sessions were last written down as used, by their id. */
  readonly #seen = new Map<number, string>()
  readonly #webhook = new Cached(() => this.#loadWebhook())

  constructor(db: Queryable, clock: () => Date) {
    this.#db = db
    this.#clock = clock
  }

  /** Forgets everybody; the next request of each reads them anew. */
  changed(): void {
    this.#users.forget()
    this.#keys.forget()
    this.#webhook.forget()
  }

  /** The owner of an API key; undefined when the key is unknown, expired, or its user is archived. */
  async byKey(key: string): Promise<Identity | undefined> {
    const hash = hashKey(key)
    const known = await this.#keys.get(hash)
    if (known === undefined || this.#isOver(known)) return undefined
    this.#saveUse(hash, known)
    const identity = await this.byId(known.userId)
    return identity && { ...identity, via: { kind: 'key', name: known.name, expiresAt: known.expiresAt } }
  }

  /**
   * The person of a session cookie; undefined when the session is over. Throws a refusal for everybody who has yet to set up the
   * second factor that the installation wants.
   */
  async bySession(token: string): Promise<Identity | undefined> {
    const session = await this.sessionOf(token)
    if (session?.lacksSecondFactor === true) throw new Refusal('forbidden', 'second-factor-first')
    return session?.identity
  }

  /** The same without the refusal; undefined when the session is over. */
  async sessionOf(token: string): Promise<{ identity: Identity; lacksSecondFactor: boolean } | undefined> {
    const row = await findSession(this.#db, token)
    if (row === undefined || this.#isOver({ expiresAt: row.expires_at })) return undefined
    const identity = await this.byId(row.user_id)
    if (identity === undefined) return undefined
    this.#saveSeen(row)
    return {
      identity: { ...identity, via: { kind: 'page', session: row.id } },
      lacksSecondFactor: row.lacks_second_factor,
    }
  }

  /** A user by id; undefined when there is none, or it is archived and cannot act (the webhook user always can). */
  byId(userId: number): Promise<Identity | undefined> {
    return this.#users.get(userId)
  }

  /** A user that the service itself works as; undefined while the database is not seeded. */
  async serviceUser(externalId: string): Promise<Identity | undefined> {
    const id = await findServiceUser(this.#db, externalId)
    return id === undefined ? undefined : this.byId(id)
  }

  /** The identity the webhooks run as. */
  webhook(): Promise<Identity> {
    return this.#webhook.get()
  }

  async #loadWebhook(): Promise<Identity> {
    const identity = await this.serviceUser(WEBHOOK_USER)
    if (identity === undefined) throw new Error('the webhook user is missing; the database is not seeded')
    return identity
  }

  async #loadKey(hash: string): Promise<KnownKey | undefined> {
    const row = await findKeyByHash(this.#db, hash)
    return row && { name: row.name, userId: row.user_id, expiresAt: row.expires_at ?? undefined, usedAt: 0 }
  }

  async #load(userId: number): Promise<Identity | undefined> {
    const [user] = await this.#db.run(LOAD_USER, { id: userId })
    if (user === undefined) return undefined
    const isWebhook = user.external_id === WEBHOOK_USER
    if (user.active !== true && !isWebhook) return undefined
    // The webhook user is in its own group and in no other, whatever somebody linked it with.
    const groups = isWebhook ? new Set([GROUP.webhook]) : heldGroups(user)
    return { userId: user.id, login: user.login, partnerId: user.partner_id ?? undefined, groups, isElevated: false }
  }

  #isOver({ expiresAt }: Pick<KnownKey, 'expiresAt'>): boolean {
    return expiresAt !== undefined && expiresAt <= storedTime(this.#clock())
  }

  /** Sparingly: a page asks often, and nobody needs to know it to the second. */
  #saveSeen({ id, last_seen: seen }: FoundSession): void {
    const now = this.#clock()
    const isFresh = (at: string | undefined) =>
      at !== undefined && at > storedTime(new Date(now.getTime() - LAST_SEEN_STEP_MS))
    if (isFresh(seen ?? undefined) || isFresh(this.#seen.get(id))) return
    this.#seen.set(id, storedTime(now))
    forgetOldest(this.#seen, KNOWN_MAX)
    touchSession(this.#db, id, now).catch(() => undefined)
  }

  #saveUse(hash: string, known: { usedAt: number }): void {
    const now = this.#clock()
    if (now.getTime() - known.usedAt < LAST_USED_STEP_MS) return
    known.usedAt = now.getTime()
    this.#db
      .query(sql`update res_users_apikeys set last_used = ${storedTime(now)}::timestamp where key_hash = ${hash}`)
      .catch(() => undefined)
  }
}

/** The groups that count of those that somebody was put into. */
function heldGroups({ groups, share }: { groups: readonly string[] | null; share: boolean | null }): Set<string> {
  const held = new Set(groups ?? [])
  // The public is external, and sees what everybody sees.
  if (held.has(GROUP.public)) return new Set([GROUP.public])
  // A login of webhooks gets no secret, whatever else it is.
  if (held.has(GROUP.webhook)) held.delete(GROUP.manager)
  // Everybody else who works here is an internal user.
  if (share !== true) held.add(GROUP.internal)
  return held
}
