import { createHash, randomBytes } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { storedTime } from '../../time.ts'
import { char, datetime, many2one } from '../model/fields.ts'
import { defineModel } from '../model/model.ts'

/** How long a sign-in lasts. */
export const SESSION_HOURS = 24 * 14
const TOKEN_BYTES = 32
const MS_PER_HOUR = 3_600_000

/** Sign-ins of people. Open to nobody over the API: a session is used by its cookie and ended by signing out. */
export const sessionModel = defineModel({
  name: 'res.users.session',
  label: 'Session',
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Session ${row.id}` },
  fields: {
    user_id: many2one('User', 'res.users', { required: true, onDelete: 'cascade' }),
    token_hash: char('Token hash', { required: true, isUnique: true, groups: [] }),
    expires_at: datetime('Expires', { required: true, isIndexed: true }),
  },
})

const FIND = statement<{ user_id: number; expires_at: string }, { hash: string }>(
  'session_find',
  sql`select user_id, expires_at from res_users_session where token_hash = ${param('hash')}`,
)

/** Starts a session and gives its token, which goes into the cookie and is stored only as a hash. */
export async function startSession(db: Queryable, userId: number, now: Date): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const end = storedTime(new Date(now.getTime() + SESSION_HOURS * MS_PER_HOUR))
  await db.query(sql`delete from res_users_session where expires_at < ${storedTime(now)}::timestamp`)
  await db.query(
    sql`insert into res_users_session (user_id, token_hash, expires_at) values (${userId}::bigint, ${hashToken(token)}, ${end}::timestamp)`,
  )
  return token
}

export async function findSession(
  db: Queryable,
  token: string,
): Promise<{ user_id: number; expires_at: string } | undefined> {
  const rows = await db.run(FIND, { hash: hashToken(token) })
  return rows[0]
}

const LIST_OPEN = statement<{ token_hash: string }, { hashes: string[]; now: string }>(
  'sessions_open',
  sql`select token_hash from res_users_session s join res_users u on u.id = s.user_id and u.active
      where s.token_hash = any(${param('hashes')}::text[]) and s.expires_at > ${param('now')}::timestamp`,
)

/** Those of the tokens whose sessions go on. */
export async function listOpenSessions(db: Queryable, tokens: readonly string[], now: Date): Promise<Set<string>> {
  const tokenOf = new Map(tokens.map((token) => [hashToken(token), token]))
  const rows = await db.run(LIST_OPEN, { hashes: [...tokenOf.keys()], now: storedTime(now) })
  return new Set(rows.map(({ token_hash: hash }) => tokenOf.get(hash) ?? ''))
}

/** Ends a session, and notifies the processes in which a page of it is open. */
export async function endSession(db: Queryable, token: string): Promise<void> {
  await db.query(
    sql`with ended as (delete from res_users_session where token_hash = ${hashToken(token)} returning user_id)
        select pg_notify('connect_identity', user_id::text) from ended`,
  )
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
