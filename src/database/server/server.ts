import pg from 'pg'
import { ConfigError } from '../../config.ts'
import { asError } from '../../errors.ts'
import type { Database } from '../database.ts'
import { Listener } from '../listener.ts'
import { migrate } from '../migrate.ts'
import { getTypeParser, queryable, type Sessions, transaction } from '../session.ts'
import { API_STATEMENT_TIMEOUT_MS, apiShareOf, type Share } from './api-share.ts'
import { poolerRefusal, requireOwnSessions } from './own-sessions.ts'

/** How long a request waits for a connection before it learns that the database is unavailable. */
const CONNECT_TIMEOUT_MS = 5_000
/** Any number will do as long as every process of the service takes the same one while it migrates. */
const MIGRATION_LOCK = 7_236_001
/** Connections of the job queue, one of which only listens. */
const QUEUE_POOL = 3
/** Connections of who only looks. */
const LOOKING_POOL = 2
const VERSION_MIN = 150_000

/**
 * What a server may make a connection of ours wait, in milliseconds. A transaction waits for its process no longer than a
 * process needs that only computes in between: one that is frozen loses its locks, instead of making every other process
 * wait for it. A statement waits for a lock longer than that, and less long than a caller waits.
 */
const SESSION_LIMITS = {
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 5_000,
  lock_timeout: 7_000,
} as const

/**
 * What is long is compressed as the delivery is written, by the method that takes a quarter of the time of the server's own choice;
 * on a server that was built without it nothing changes. No statement is compiled: that takes a second or more, and all of ours are
 * short, however dear the planner takes one to be.
 */
const QUICK_SESSION = `select set_config('jit', 'off', false), (select set_config(name, 'lz4', false) from pg_settings
  where name = 'default_toast_compression' and 'lz4' = any (enumvals))`

/** For work that takes as long as it takes, on a connection that is closed afterwards. */
const WITHOUT_LIMITS = Object.keys(SESSION_LIMITS)
  .map((name) => `set ${name} = 0`)
  .join('; ')

/** Opens a pool on a PostgreSQL server (15 or newer); throws when it cannot be reached or is too old. */
export function openServer(url: string, poolSize: number): Promise<Database> {
  return opened(prepareServer(url, poolSize))
}

/** The same for who only looks: the server refuses whatever would change anything. */
export function openServerToLook(url: string): Promise<Database> {
  return opened(prepareServer(url, LOOKING_POOL, 'set session characteristics as transaction read only'))
}

async function opened({ db, requireUsable }: PreparedServer): Promise<Database> {
  await requireUsable().catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  return db
}

/** A server that nobody has connected to yet. */
interface PreparedServer {
  db: Database
  /** Throws a ConfigError, with what the server said as its cause, when it cannot be reached or is too old. */
  requireUsable(): Promise<void>
}

/** A pool on a PostgreSQL server, without connecting to it. Each connection begins with a statement, if one is given. */
export function prepareServer(url: string, poolSize: number, first?: string): PreparedServer {
  const options = { connectionString: url, types: { getTypeParser }, application_name: 'connect' }
  const pool = new pg.Pool({
    ...options,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...SESSION_LIMITS,
    keepAlive: true,
    // A statement is sent while others are still on their way; the server runs them in their order.
    pipeline: true,
  })
  // Without listeners a server that closes a connection would end the process: an idle one, or one in a transaction.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    // It only saves time.
    void client.query(QUICK_SESSION).catch(() => undefined)
    // Should it fail, what comes next on this connection fails as well.
    if (first !== undefined) void client.query(first).catch(() => client.end())
  })
  const ping = (channel: string, payload: string) => pool.query('select pg_notify($1, $2)', [channel, payload])
  const listener = new Listener({ options, ping })
  const db = serverDatabase({ pool, listener, apiShare: apiShareOf(poolSize), url })
  return { db, requireUsable: () => requireUsable(pool) }
}

async function requireUsable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool
    .query<{ version: number }>("select current_setting('server_version_num')::int as version")
    .catch((thrown: unknown) => {
      const error = asError(thrown)
      const reason = error.message || ('code' in error ? String(error.code) : error.name)
      throw (
        poolerRefusal(reason) ??
        new ConfigError([`DATABASE_URL names a server that cannot be used: ${reason}.`], { cause: error })
      )
    })
  if ((rows[0]?.version ?? 0) < VERSION_MIN) {
    throw new ConfigError(['DATABASE_URL names a PostgreSQL server older than 15; it should be 15 or newer.'])
  }
  await requireOwnSessions(pool, SESSION_LIMITS)
}

interface ServerParts {
  pool: pg.Pool
  listener: Listener
  apiShare: Share
  url: string
}

function serverDatabase({ pool, listener, apiShare, url }: ServerParts): Database {
  const sessions: Sessions = {
    take: () => pool.connect(),
    notify: (channel, payload) => listener.notify(channel, payload),
  }
  const forApi = { ...sessions, timeoutMs: API_STATEMENT_TIMEOUT_MS }
  return {
    kind: 'server',
    place: placeOf(url),
    room: undefined,
    loss: undefined,
    ...queryable(pool),
    transaction: (work, { isForApi = false } = {}) =>
      isForApi ? apiShare.use(() => transaction(forApi, work)) : transaction(sessions, work),
    listen: (channel, hear) => listener.listen(channel, hear),
    queueOptions: () => ({
      connectionString: url,
      max: QUEUE_POOL,
      application_name: 'connect queue',
      useListenNotify: true,
    }),
    migrate: () => migrateAlone(pool),
    async script(text) {
      await pool.query(text)
    },
    lookAfterTables: async () => [],
    async clearRemains() {
      await pool.query('vacuum (analyze)')
      return []
    },
    async close() {
      await listener.close()
      await pool.end()
    },
  }
}

/** Several processes may start at once; one migrates, the others wait for it as long as it takes. */
async function migrateAlone(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(WITHOUT_LIMITS)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(client)
  } finally {
    // The lock and the setting go with the connection.
    client.release(true)
  }
}

/** What a person may read about where the data is; never a password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `PostgreSQL at ${hostname || 'local socket'}${port === '' ? '' : `:${port}`}${pathname}`
}
