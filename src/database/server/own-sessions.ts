import type pg from 'pg'
import { ConfigError } from '../../config.ts'

/** Of the error of a pooler that hands on none of the settings that a connection begins with (PgBouncer 1.18). */
const REFUSED_SETTINGS = /unsupported startup parameter/
const NAME_THE_SERVER =
  'Name the PostgreSQL server itself: the service keeps few connections (DATABASE_POOL) and shares them among all requests.'

/** What a refusal to connect means, where a pooler in between refused; undefined for anything else. */
export function poolerRefusal(message: string): ConfigError | undefined {
  if (!REFUSED_SETTINGS.test(message)) return undefined
  return new ConfigError([
    `DATABASE_URL leads to a connection pooler, such as PgBouncer, that refuses our time limits (${message}). ${NAME_THE_SERVER}`,
  ])
}

/**
 * Throws a ConfigError unless each of our connections is a session on the server, with the limits that we gave it: prepared
 * statements, notifications and locks live in it, and a frozen process would hold locks for ever without them. The pool has
 * at least two connections.
 */
export async function requireOwnSessions(pool: pg.Pool, limits: Readonly<Record<string, number>>): Promise<void> {
  const [one, other] = [await pool.connect(), await pool.connect()]
  try {
    const before = await sessionOf(one)
    const lost = Object.entries(limits).find(([name, limit]) => before.limits[name] !== limit)
    if (lost !== undefined) {
      throw new ConfigError([
        `DATABASE_URL leads to a connection pooler, such as PgBouncer, that drops our ${lost[0]}. ${NAME_THE_SERVER}`,
      ])
    }
    // A pooler of transactions gives the session that is free now to the other one.
    await other.query('begin')
    const after = await sessionOf(one)
    await other.query('rollback')
    if (after.process === before.process) return
    throw new ConfigError([
      `DATABASE_URL leads to a connection pooler, such as PgBouncer, that pools transactions or statements. ${NAME_THE_SERVER}`,
    ])
  } finally {
    one.release()
    other.release()
  }
}

interface Session {
  process: number
  limits: Readonly<Record<string, number>>
}

async function sessionOf(client: pg.PoolClient): Promise<Session> {
  const { rows } = await client.query<Session>(
    `select pg_backend_pid() as process, (select json_object_agg(name, setting::int) from pg_settings
       where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout')) as limits`,
  )
  return rows[0] ?? { process: 0, limits: {} }
}
