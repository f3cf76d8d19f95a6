import type { Duplex } from 'node:stream'
import pg from 'pg'
import { ConfigError } from '../../config.ts'
import { asError } from '../../errors.ts'
import {
  type Channel,
  type Database,
  firstFailure,
  isRetryable,
  RolledBackError,
  TRANSACTION_ATTEMPTS_MAX,
  type Transaction,
} from '../database.ts'
import { loadMigrators, type SQL } from '../drizzle.ts'
import { Listener } from '../listener.ts'
import { MIGRATIONS_FOLDER } from '../migrations-folder.ts'
import { compile, type Statement } from '../statement.ts'
import { API_STATEMENT_TIMEOUT_MS, apiShareOf, type Share } from './api-share.ts'
import { NamedQuery } from './server-query.ts'
import { SESSION_LIMITS, WITHOUT_LIMITS } from './session-limits.ts'

/** How long a request waits for a connection before it learns that the database is unavailable. */
const CONNECT_TIMEOUT_MS = 5_000
/** Any number will do as long as every process of the service takes the same one while it migrates. */
const MIGRATION_LOCK = 7_236_001
/** Connections of the job queue, one of which only listens. */
const QUEUE_POOL = 3
/** Connections of who only looks. */
const LOOKING_POOL = 2
const VERSION_MIN = 150_000
/** What a process has changed itself it must not serve from memory, not even until the server's notification is here. */
const INVALIDATIONS: ReadonlySet<Channel> = new Set(['connect_settings', 'connect_identity', 'connect_agents'])

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184

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
      throw new ConfigError([`DATABASE_URL names a server that cannot be used: ${reason}.`], { cause: error })
    })
  if ((rows[0]?.version ?? 0) >= VERSION_MIN) return
  throw new ConfigError(['DATABASE_URL names a PostgreSQL server older than 15; it should be 15 or newer.'])
}

function serverDatabase({ apiShare, url, ...connections }: Connections & { apiShare: Share; url: string }): Database {
  const { pool, listener } = connections
  const forApi = { pool, listener, timeoutMs: API_STATEMENT_TIMEOUT_MS }
  return {
    kind: 'server',
    place: placeOf(url),
    room: undefined,
    loss: undefined,
    ...queryable(pool),
    transaction: (work, { isForApi = false } = {}) =>
      isForApi ? apiShare.use(() => transaction(forApi, work)) : transaction(connections, work),
    listen: (channel, hear) => listener.listen(channel, hear),
    queueOptions: () => ({
      connectionString: url,
      max: QUEUE_POOL,
      application_name: 'connect queue',
      useListenNotify: true,
    }),
    migrate: () => migrate(pool),
    async script(text) {
      await pool.query(text)
    },
    lookAfterTables: async () => [],
    async close() {
      await listener.close()
      await pool.end()
    },
  }
}

function queryable(client: pg.Pool | pg.PoolClient): Pick<Database, 'run' | 'query'> {
  return {
    async run<Row, Params extends object>({ name, text, values }: Statement<Row, Params>, params: Params) {
      try {
        return await runNamed<Row>(client, { name, text, values: values(params) })
      } catch (error) {
        // From here on the trace leads to the caller and not to the socket.
        if (error instanceof Error) Error.captureStackTrace(error)
        throw error
      }
    },
    async query<Row>(query: SQL) {
      const { text, values } = compile(query)
      return (await client.query(text, values)).rows as Row[]
    },
  }
}

interface Named {
  name: string
  text: string
  values: readonly unknown[]
}

/** Runs a statement that the connection keeps prepared under its name. */
function runNamed<Row>(client: pg.Pool | pg.PoolClient, named: Named): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const callback = (error?: Error | null, rows: Row[] = []) => (error ? reject(error) : resolve(rows))
    const query = new NamedQuery<Row>(named, readerOf)
    // The driver, and its pool, take a query of its own class and tell this callback.
    const take = client.query.bind(client) as unknown as (query: object, values: undefined, back: object) => void
    take(query, undefined, callback)
  })
}

interface Connections {
  pool: pg.Pool
  listener: Listener
  /** How long a statement may take, where that is not what the connection says. */
  timeoutMs?: number
}

async function transaction<Result>(
  connections: Connections,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const committed: (() => void)[] = []
      const result = await attemptTransaction(connections, work, committed)
      for (const callback of committed) callback()
      return result
    } catch (error) {
      if (!isRetryable(error) || attempt === TRANSACTION_ATTEMPTS_MAX) throw error
    }
  }
}

async function attemptTransaction<Result>(
  { pool, listener, timeoutMs }: Connections,
  work: (tx: Transaction) => Promise<Result>,
  committed: (() => void)[],
): Promise<Result> {
  const client = await pool.connect()
  const sent: Promise<unknown>[] = []
  const { stream } = (client as unknown as WithSocket).connection
  const send: Send = (ask) => {
    // What follows at once goes over the wire together with it: a write to the system costs more than a statement.
    stream.cork()
    process.nextTick(() => stream.uncork())
    const answered = ask()
    answered.catch(() => undefined)
    sent.push(answered)
    return answered
  }
  let broken: Error | undefined
  try {
    send(() => client.query('begin'))
    if (timeoutMs !== undefined) send(() => client.query(`set local statement_timeout = ${timeoutMs}`))
    const result = await work(openTransaction({ client, listener, send }, committed))
    // Should something have failed, this commits nothing: what was sent tells why, or else the answer tells that.
    const committing = send(() => client.query('commit'))
    await Promise.all(sent)
    if ((await committing).command !== 'COMMIT') throw new RolledBackError()
    return result
  } catch (error) {
    const reason = await firstFailure(sent)
    // A connection that cannot even roll back must not go back to the pool.
    broken = await client.query('rollback').then(
      () => undefined,
      (failure: Error) => failure,
    )
    throw reason ?? error
  } finally {
    client.release(broken)
  }
}

/** The driver shows its socket to extensions; its types show it on clients outside of a pool only. */
interface WithSocket {
  readonly connection: { readonly stream: Pick<Duplex, 'cork' | 'uncork'> }
}

/** Sends a query without waiting for its answer. */
type Send = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>

function openTransaction(
  { client, listener, send }: { client: pg.PoolClient; listener: Listener; send: Send },
  committed: (() => void)[],
): Transaction {
  return {
    ...queryable(client),
    send({ name, text, values }, params) {
      send(() => runNamed(client, { name, text, values: values(params) }))
    },
    async notify(channel, payload) {
      send(() => runNamed(client, { name: 'notify', text: 'select pg_notify($1, $2)', values: [channel, payload] }))
      if (INVALIDATIONS.has(channel)) committed.push(() => listener.tell(channel, payload))
    },
    execute: (text, values) => client.query(text, [...values]),
    afterCommit: (callback) => committed.push(callback),
  }
}

/** Several processes may start at once; one migrates, the others wait for it as long as it takes. */
async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(WITHOUT_LIMITS)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await loadMigrators().server(client, MIGRATIONS_FOLDER)
  } finally {
    // The lock and the setting go with the connection.
    client.release(true)
  }
}

function readerOf(oid: number): (text: string) => unknown {
  return getTypeParser(oid, 'text') as (text: string) => unknown
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8) return Number
  // The driver would give texts for what may be too large for a number; ids are not.
  if (oid === INT8_ARRAY) return (text) => JSON.parse(`[${text.slice(1, -1).toLowerCase()}]`)
  if (oid === DATE || oid === TIMESTAMP || oid === TIMESTAMPTZ) return String
  return pg.types.getTypeParser(oid, format as 'text')
}

/** What a person may read about where the data is; never a password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `PostgreSQL at ${hostname || 'local socket'}${port === '' ? '' : `:${port}`}${pathname}`
}
