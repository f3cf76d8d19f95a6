import { hash, randomBytes } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { storedTime } from '../../time.ts'
import { GROUP } from '../access/identity.ts'
import { boolean, char, computed, datetime, many2one, selection } from '../model/fields.ts'
import { defineModel } from '../model/model.ts'
import { endOthers, endSessions } from './end-sessions.ts'
import { noteNetwork } from './passwords/known-networks.ts'

/** How long a sign-in lasts. */
export const SESSION_HOURS = 24 * 14
const TOKEN_BYTES = 32
const MS_PER_HOUR = 3_600_000
const ADDRESS_CHARS_MAX = 64
const AGENT_CHARS_MAX = 300

/** Sign-ins of people, of which everybody sees their own. A session is used by its cookie. */
export const sessionModel = defineModel({
  name: 'res.users.session',
  label: 'Session',
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Session ${row.id}` },
  fields: {
    user_id: many2one('User', 'res.users', { required: true, onDelete: 'cascade' }),
    token_hash: char('Token hash', { required: true, isUnique: true, isHeavy: true, groups: [] }),
    expires_at: datetime('Ends', { required: true, isIndexed: true }),
    created_at: datetime('Signed in'),
    last_seen: datetime('Last seen', { help: 'Accurate to five minutes.' }),
    address: char('Address', { help: 'The address they signed in from.' }),
    agent: char('Browser', { help: 'As the browser describes itself.' }),
    via: selection('Signed in by', { password: 'Password', sso: 'Single sign-on' }),
    has_second_factor: boolean('Two-factor sign-in'),
    is_current: computed('This device', 'boolean', {
      depends: [],
      compute: ({ identity: { via } }, rows) => rows.map(({ id }) => via?.kind === 'page' && via.session === id),
    }),
  },
  rules: [{ group: GROUP.internal, domain: (identity) => [['user_id', '=', identity.userId]] }],
  methods: { end: endSessions, end_others: endOthers },
})

/** A session as a request finds it by its cookie. */
export interface FoundSession {
  id: number
  user_id: number
  expires_at: string
  last_seen: string | null
  /** The installation wants a second factor, and this person has none yet. */
  lacks_second_factor: boolean
}

// Anyone who signs in elsewhere is asked for a second factor there.
const LACKS_SECOND_FACTOR = sql`coalesce((select require_second_factor from connect_settings order by id limit 1), false)
  and s.via is distinct from 'sso'
  and not exists (select 1 from res_users_second_factor f where f.user_id = s.user_id and f.confirmed_at is not null)`

const FIND = statement<FoundSession, { hash: string }>(
  'session_find',
  sql`select s.id, s.user_id, s.expires_at, s.last_seen,
        ${LACKS_SECOND_FACTOR} as lacks_second_factor
      from res_users_session s where s.token_hash = ${param('hash')}`,
)

interface NewSession {
  userId: number
  /** The age of their ways in when they proved who they are; with another one now, no session begins. */
  age?: number | undefined
  now: Date
  via?: 'password' | 'sso'
  hasSecondFactor?: boolean
  address?: string
  agent?: string | undefined
}

/** Starts a session of an active user and gives its token, which goes into the cookie and is stored only as a hash. */
export async function startSession(
  db: Queryable,
  { userId, age, now, via = 'password', hasSecondFactor = false, address = '', agent = '' }: NewSession,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const end = storedTime(new Date(now.getTime() + SESSION_HOURS * MS_PER_HOUR))
  const at = storedTime(now)
  await db.query(sql`delete from res_users_session where expires_at < ${at}::timestamp`)
  const isSameAge = age === undefined ? sql`true` : sql`coalesce(sign_in_age, 0) = ${age}::integer`
  const started = await db.query(
    sql`insert into res_users_session
          (user_id, token_hash, expires_at, created_at, last_seen, address, agent, via, has_second_factor)
        select u.id, ${hash('sha256', token)}::text, ${end}::timestamp, ${at}::timestamp, ${at}::timestamp,
          ${storable(address, ADDRESS_CHARS_MAX)}::text, ${storable(agent, AGENT_CHARS_MAX)}::text, ${via}::text,
          ${hasSecondFactor}::boolean
        from (select id from res_users where id = ${userId}::bigint and active and ${isSameAge} for share) u returning id`,
  )
  if (started.length === 0) throw new Refusal('unauthorized', 'sign-in-took-too-long')
  await noteNetwork(db, { userId, address, now })
  return token
}

/** What a browser says of itself may be anything. */
function storable(text: string, charsMax: number): string {
  return text.replaceAll('\0', '').slice(0, charsMax)
}

export async function findSession(db: Queryable, token: string): Promise<FoundSession | undefined> {
  const rows = await db.run(FIND, { hash: hash('sha256', token) })
  return rows[0]
}

/** How the person of a session proved who they are; undefined when it is over. */
export async function proofOf(
  db: Queryable,
  id: number,
): Promise<{ via: 'password' | 'sso'; hasSecondFactor: boolean } | undefined> {
  const [row] = await db.query<{ via: 'password' | 'sso' | null; has_second_factor: boolean | null }>(
    sql`select via, has_second_factor from res_users_session where id = ${id}::bigint`,
  )
  return row && { via: row.via ?? 'password', hasSecondFactor: row.has_second_factor === true }
}

/** Whether a session of that user goes on. */
export async function isSessionOf(db: Queryable, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from res_users_session where id = ${id}::bigint and user_id = ${userId}::bigint for share`,
  )
  return rows.length > 0
}

/** Writes down that a session was used. */
export async function touchSession(db: Queryable, id: number, now: Date): Promise<void> {
  await db.query(sql`update res_users_session set last_seen = ${storedTime(now)}::timestamp where id = ${id}::bigint`)
}

const LIST_OPEN = statement<{ token_hash: string }, { hashes: string[]; now: string }>(
  'sessions_open',
  sql`select token_hash from res_users_session s join res_users u on u.id = s.user_id and u.active
      where s.token_hash in ${listed('hashes', 'text')} and s.expires_at > ${param('now')}::timestamp
        and not (${LACKS_SECOND_FACTOR})`,
)

/** Those of the tokens whose sessions go on, with the second factor that the installation wants. */
export async function listOpenSessions(db: Queryable, tokens: readonly string[], now: Date): Promise<Set<string>> {
  const tokenOf = new Map(tokens.map((token) => [hash('sha256', token), token]))
  const rows = await db.run(LIST_OPEN, { hashes: [...tokenOf.keys()], now: storedTime(now) })
  return new Set(rows.map(({ token_hash: hash }) => tokenOf.get(hash) ?? ''))
}

/** Ends a session, and notifies the processes in which a page of it is open. */
export async function endSession(db: Queryable, token: string): Promise<void> {
  await db.query(
    sql`with ended as (delete from res_users_session where token_hash = ${hash('sha256', token)} returning user_id)
        select pg_notify('connect_identity', user_id::text) from ended`,
  )
}
