import pg from 'pg'
import { type Channel, isTimeout, MaybeSavedError, type Queryable, type Transaction } from './database.ts'
import type { SQL } from './drizzle.ts'
import { compile, type Statement } from './statement.ts'
import { type Attempt, firstFailure, RolledBackError, untilCommitted } from './transaction.ts'

/** What a process has changed itself it must not serve from memory, not even until the server's notification is here. */
const INVALIDATIONS: ReadonlySet<Channel> = new Set(['connect_settings', 'connect_identity', 'connect_agents'])

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184

/** Whatever queries of the driver run on: its pool, or a connection. */
interface Session {
  query(asked: pg.QueryConfig): Promise<pg.QueryResult>
}

/** A connection for one transaction. */
export interface TakenSession extends Session {
  /** Gives it back; one that is broken is closed. */
  release(broken?: Error): void
}

/** Queries on the pool, each on whatever connection is free, or on one connection. */
export function queryable(session: Session): Queryable {
  return {
    async run<Row, Params extends object>({ name, text, values }: Statement<Row, Params>, params: Params) {
      try {
        return (await session.query({ name, text, values: values(params).map(written) })).rows as Row[]
      } catch (error) {
        // From here on the trace leads to the caller and not to the socket.
        if (error instanceof Error) Error.captureStackTrace(error)
        throw error
      }
    },
    async query<Row>(query: SQL) {
      const { text, values } = compile(query)
      return (await session.query({ text, values: values.map(written) })).rows as Row[]
    },
  }
}

/**
 * Documents as the driver would write them. One that cannot be written fails here: the driver (pg 8.23) would close the statement
 * on the server and go on as if it were still prepared.
 */
function written(value: unknown): unknown {
  const isDocument =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !ArrayBuffer.isView(value)
  return isDocument ? JSON.stringify(value) : value
}

/** Where transactions are made. */
export interface Sessions {
  take(): Promise<TakenSession>
  /** Notifies the handlers of this process. */
  notify(channel: Channel, payload: string): void
  /** How long a statement may take, where the server is to stop it sooner than the connection says. */
  timeoutMs?: number
}

/** A transaction on a connection of its own, made anew when the server asks for that. */
export function transaction<Result>(sessions: Sessions, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return untilCommitted((attempt) => attemptTransaction(sessions, work, attempt))
}

async function attemptTransaction<Result>(
  { take, notify, timeoutMs }: Sessions,
  work: (tx: Transaction) => Promise<Result>,
  { committed }: Attempt,
): Promise<Result> {
  const session = await take()
  const sent: Promise<unknown>[] = []
  const send: Send = (asked) => {
    const answered = session.query(asked)
    answered.catch(() => undefined)
    sent.push(answered)
    return answered
  }
  let broken: Error | undefined
  let isCommitting = false
  try {
    send({ text: 'begin' })
    if (timeoutMs !== undefined) send({ text: `set local statement_timeout = ${timeoutMs}` })
    const tx = openTransaction({ session, notify, send }, committed)
    const result = await work(tx)
    // Should something have failed, this commits nothing: what was sent tells why, or else the answer tells that.
    isCommitting = true
    const committing = send({ text: 'commit' })
    await Promise.all(sent)
    if ((await committing).command !== 'COMMIT') throw new RolledBackError()
    return result
  } catch (error) {
    const reason = await firstFailure(sent)
    // A connection that cannot even roll back must not be used again.
    broken = await session.query({ text: 'rollback' }).then(
      () => undefined,
      (failure: Error) => failure,
    )
    // What was stopped before the commit came to it is saved by nobody.
    const wasStopped = isTimeout(await firstFailure(sent.slice(0, -1)))
    if (isCommitting && broken !== undefined && !wasStopped) throw new MaybeSavedError(reason ?? error)
    throw reason ?? error
  } finally {
    session.release(broken)
  }
}

/** Sends a query without waiting for its answer. */
type Send = (asked: pg.QueryConfig) => Promise<pg.QueryResult>

/** For work that only reads: each query by itself, wherever it runs. Work that wants to change something is a mistake of ours. */
export function readingOnly(session: Session): Transaction {
  const refuse = (): never => {
    throw new Error('work that only reads wanted to change something')
  }
  return { ...queryable(session), send: refuse, notify: refuse, execute: refuse, afterCommit: refuse }
}

function openTransaction(
  { session, notify, send }: { session: Session; send: Send } & Pick<Sessions, 'notify'>,
  committed: (() => void)[],
): Transaction {
  return {
    ...queryable(session),
    send({ name, text, values }, params) {
      send({ name, text, values: values(params).map(written) })
    },
    async notify(channel, payload) {
      send({ name: 'notify', text: 'select pg_notify($1, $2)', values: [channel, payload] })
      if (INVALIDATIONS.has(channel)) committed.push(() => notify(channel, payload))
    },
    execute: (text, values) => session.query({ text, values: values.map(written) }),
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
