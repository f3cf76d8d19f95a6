import pg from 'pg'
import type { Channel, Database, Transaction } from '../database.ts'
import type { SQL } from '../drizzle.ts'
import type { Listener } from '../listener.ts'
import { compile, type Statement } from '../statement.ts'
import { type Attempt, firstFailure, RolledBackError, untilCommitted } from '../transaction.ts'

/** What a process has changed itself it must not serve from memory, not even until the server's notification is here. */
const INVALIDATIONS: ReadonlySet<Channel> = new Set(['connect_settings', 'connect_identity', 'connect_agents'])

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184

/** Queries on the pool, each on whatever connection is free, or on one connection. */
export function queryable(client: pg.Pool | pg.PoolClient): Pick<Database, 'run' | 'query'> {
  return {
    async run<Row, Params extends object>({ name, text, values }: Statement<Row, Params>, params: Params) {
      try {
        return (await client.query<object>({ name, text, values: values(params) })).rows as Row[]
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

export interface Connections {
  pool: pg.Pool
  listener: Listener
  /** How long a statement may take, where that is not what the connection says. */
  timeoutMs?: number
}

/** A transaction on a connection of its own, made anew when the server asks for that. */
export function transaction<Result>(
  connections: Connections,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return untilCommitted((attempt) => attemptTransaction(connections, work, attempt))
}

async function attemptTransaction<Result>(
  { pool, listener, timeoutMs }: Connections,
  work: (tx: Transaction) => Promise<Result>,
  { committed }: Attempt,
): Promise<Result> {
  const client = await pool.connect()
  const sent: Promise<unknown>[] = []
  const send: Send = (ask) => {
    const answered = ask()
    answered.catch(() => undefined)
    sent.push(answered)
    return answered
  }
  let broken: Error | undefined
  try {
    send(() => client.query('begin'))
    if (timeoutMs !== undefined) send(() => client.query(`set local statement_timeout = ${timeoutMs}`))
    const tx = openTransaction({ client, listener, send }, committed)
    const result = await work(tx)
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

/** Sends a query without waiting for its answer. */
type Send = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>

function openTransaction(
  { client, listener, send }: { client: pg.PoolClient; listener: Listener; send: Send },
  committed: (() => void)[],
): Transaction {
  const queries = queryable(client)
  return {
    ...queries,
    send({ name, text, values }, params) {
      send(() => client.query({ name, text, values: values(params) }))
    },
    async notify(channel, payload) {
      send(() => client.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channel, payload] }))
      if (INVALIDATIONS.has(channel)) committed.push(() => listener.notify(channel, payload))
    },
    execute: (text, values) => client.query(text, [...values]),
    afterCommit: (callback) => committed.push(callback),
  }
}

/** Date-times stay the text the database wrote, and ids are numbers. */
export function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8) return Number
  // The driver would give texts for what may be too large for a number; ids are not.
  if (oid === INT8_ARRAY) return (text) => JSON.parse(`[${text.slice(1, -1).toLowerCase()}]`)
  if (oid === DATE || oid === TIMESTAMP || oid === TIMESTAMPTZ) return String
  return pg.types.getTypeParser(oid, format as 'text')
}
