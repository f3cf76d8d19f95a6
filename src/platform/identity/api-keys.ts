import { hash, randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { GROUP, isManager } from '../access/identity.ts'
import { char, datetime, many2one } from '../model/fields.ts'
import { defineModel, method, type RowOf } from '../model/model.ts'
import { readDateTime } from '../records/column-values.ts'

const KEY_BYTES = 32
export const KEY_PREFIX = 'ck_'
const NAME_CHARS_MAX = 200
/** Keys of one user, also such as have ended. */
const KEYS_MAX = 100

export const apiKeyModel = defineModel({
  name: 'res.users.apikeys',
  label: 'API key',
  isReadonly: true,
  order: 'id desc',
  fields: {
    name: char('Name', { required: true }),
    user_id: many2one('User', 'res.users', { required: true, onDelete: 'cascade' }),
    key_hash: char('Key hash', { required: true, isUnique: true, isHeavy: true, groups: [] }),
    expires_at: datetime('Expires'),
    last_used: datetime('Last used'),
  },
  rules: [
    { group: GROUP.internal, domain: (identity) => [['user_id', '=', identity.userId]] },
    { group: GROUP.manager, domain: () => [] },
  ],
  async removing(env, ids) {
    for (const id of ids) await env.db.notify('connect_identity', `key ${id}`)
  },
})

/** A key's owner and end, looked up by the hash of the key. */
type KeyRow = RowOf<typeof apiKeyModel, 'id' | 'name' | 'user_id' | 'expires_at'>

const FIND_KEY = statement<KeyRow, { hash: string }>(
  'api_key_find',
  sql`select k.id, k.name, k.user_id, k.expires_at from res_users_apikeys k where k.key_hash = ${param('hash')}`,
)

/** The key as it is stored. Keys are 256 random bits, so one fast hash is enough to keep them from being read back. */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

export async function findKeyByHash(db: Queryable, hash: string): Promise<KeyRow | undefined> {
  const rows = await db.run(FIND_KEY, { hash })
  return rows[0]
}

interface NewKey {
  userId: number
  name: string
  expiresAt?: string | undefined
  /** A key of as many random bits; made when left out. */
  key?: string
}

function newKey(): string {
  return KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url')
}

/** Makes a key for a user and stores its hash; the key itself is given this once. */
export async function createKey(
  db: Queryable,
  { userId, name, expiresAt, key = newKey() }: NewKey,
): Promise<{ id: number; key: string }> {
  const rows = await db.query<{ id: number }>(
    sql`insert into res_users_apikeys (name, user_id, key_hash, expires_at, create_uid)
        values (${name}, ${userId}::bigint, ${hashKey(key)}, ${expiresAt ?? null}, ${userId}::bigint) returning id`,
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the key was not stored')
  return { id, key }
}

/** `res.users/api_key_create {ids, name, expires_at?}` answers `{id, key}` once, for oneself or by a manager. */
export const apiKeyCreate = method({
  label: 'Create API key',
  reply: Type.Object({ id: Type.Integer(), key: Type.String({ description: 'Shown this once.' }) }),
  operation: 'read',
  isAudited: true,
  args: Type.Object({
    name: Type.String({ minLength: 1, maxLength: NAME_CHARS_MAX }),
    expires_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
  async run(env, ids, { name, expires_at: expiresAt }) {
    const userId = requireOwner(env, ids)
    const end = typeof expiresAt === 'string' ? readDateTime(expiresAt, 'expires_at') : undefined
    requireShorterLife(env, end)
    await requireFewKeys(env, userId)
    return createKey(env.db, { userId, name, expiresAt: end })
  },
})

/** `res.users/api_keys_end {ids}` ends every key of a user, one's own or by a manager, and answers `{ended}`. */
export const apiKeysEnd = method({
  label: 'Revoke all API keys',
  reply: Type.Object({ ended: Type.Integer() }),
  operation: 'read',
  isAudited: true,
  async run(env, ids) {
    return { ended: await endKeys(env.db, requireOwner(env, ids)) }
  },
})

/** Ends every key of a user whose name begins so, in every process; gives how many there were. */
export async function endKeys(db: Transaction, userId: number, name = ''): Promise<number> {
  const ended = await db.query(
    sql`delete from res_users_apikeys where user_id = ${userId}::bigint and name like ${`${name}%`} returning id`,
  )
  await db.notify('connect_identity', `keys of ${userId}`)
  return ended.length
}

/** Anyone who gets hold of a key that ends must not keep the door open with another one. */
function requireShorterLife({ identity: { via } }: Env, end: string | undefined): void {
  if (via?.kind !== 'key' || via.expiresAt === undefined) return
  if (end !== undefined && end <= via.expiresAt) return
  throw new Refusal('forbidden', 'api-key-outlives-its-maker', { date: via.expiresAt })
}

async function requireFewKeys({ db }: Env, userId: number): Promise<void> {
  await db.query(sql`select id from res_users where id = ${userId}::bigint for no key update`)
  const keys = await db.query(sql`select id from res_users_apikeys where user_id = ${userId}::bigint`)
  if (keys.length < KEYS_MAX) return
  throw new Refusal('refused', 'keys-full', { max: KEYS_MAX })
}

function requireOwner(env: Env, ids: number[]): number {
  const [userId] = ids
  if (userId === undefined || ids.length > 1) throw new Refusal('refused', 'api-keys-those-exactly-one-user-ids')
  if (userId === env.identity.userId || isManager(env.identity)) return userId
  throw new Refusal('forbidden', 'keys-other-users-for-managers-only')
}
