import type { ConstructorOptions as QueueOptions } from 'pg-boss'
import type { FileCopier } from '../copy-files.ts'
import { type DiskRoom, isDiskTrouble } from '../disk-room.ts'
import { isAway, isCausedBy } from '../errors.ts'
import type { SQL } from './drizzle.ts'
import { NoTurnError } from './server/api-share.ts'
import type { Statement } from './statement.ts'

/** Anything queries can be run on: the database itself (each query its own transaction) or an open transaction. */
export interface Queryable {
  /** Runs a statement of the hot path, prepared by name on a server. */
  run<Row, Params extends object>(statement: Statement<Row, Params>, params: NoInfer<Params>): Promise<Row[]>
  /** Runs a query that was built for this call. */
  query<Row = Record<string, unknown>>(query: SQL): Promise<Row[]>
}

export interface Transaction extends Queryable {
  /**
   * Runs a statement, in its turn, whose answer nobody needs: what comes next does not wait for it. When it fails, the
   * transaction fails.
   */
  send<Params extends object>(statement: Statement<never, Params>, params: NoInfer<Params>): void
  /** Tells every process something after this transaction commits; ids only, at most 8000 bytes. */
  notify(channel: Channel, payload: string): Promise<void>
  /** Runs one statement as it is written, for libraries that bring their own SQL into this transaction. */
  execute(text: string, values: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  /** Calls back once the transaction has committed; never when it rolled back. */
  afterCommit(callback: () => void): void
}

/** What processes tell each other. */
export type Channel =
  | 'connect_settings'
  | 'connect_identity'
  | 'connect_agents'
  | 'connect_records'
  | 'connect_dial_plan'
  | 'connect_inbox'
  | 'connect_presence'

interface TransactionOptions {
  /** For a call of the API: each statement has a short time, and such calls get a part of the connections only. */
  isForApi?: boolean
  /** Such a call only reads: where there is one connection, others have it between two of its statements. */
  onlyReads?: boolean
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'server'
  /** What a person may read about where the data is; never a password. */
  readonly place: string
  /** A sentence when the embedded database has lost the end of its log. */
  readonly loss: string | undefined
  /** The disk of the embedded database; a server has its own. */
  readonly room: DiskRoom | undefined
  /**
   * Commits when `work` resolves, rolls back when it throws. Repeats `work` when the database asks for it
   * (deadlock, serialization failure), so `work` must not act on the world outside the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /** Hears what other processes (and this one) notify. */
  listen(channel: Channel, hear: (payload: string) => void): Promise<void>
  /** How the job queue reaches the same database. */
  queueOptions(): QueueOptions
  /** Applies the migrations that have not been applied yet. */
  migrate(): Promise<void>
  /** Runs several statements from one text, as migrations and maintenance need it. */
  script(text: string): Promise<void>
  /**
   * Frees the room of rows that are gone and counts what is there, in the tables that have changed enough; gives their
   * names. Only the embedded database needs it: a server does so by itself (autovacuum), and nothing is done there.
   * Unless it is quiet, what would hold others up for long is left for a time when it is.
   */
  lookAfterTables(options?: { isQuiet?: boolean }): Promise<string[]>
  /**
   * Takes the bytes of rows that are gone out of the files, as far as nobody has to wait for it; gives the tables in which some
   * may remain, which are cleared when it is quiet. On a server, whose files are its own, their room is freed.
   */
  clearRemains(options?: { isQuiet?: boolean; among?: readonly string[] }): Promise<string[]>
  /**
   * Copies the embedded database, as it is at one moment, into a folder while it is in use. A server has `pg_dump` and not
   * this. Throws as the copier does; what was copied until then stays.
   */
  copyWhileRunning?(folder: string, options: RunningCopyOptions): Promise<{ heldMs: number }>
  close(): Promise<void>
}

export interface RunningCopyOptions {
  copier: FileCopier
  /** Hears what is done now. */
  onStep(step: string): void
  /** What else has to be of the same moment: nothing is committed until it resolves. */
  whileHeld(): Promise<void>
}

/** The connection was lost while the database committed: it may have saved everything, or nothing. */
export class MaybeSavedError extends Error {
  constructor(cause: unknown) {
    super('the database went away while it saved this, and may have saved it', { cause })
    this.name = 'MaybeSavedError'
  }
}

/** PostgreSQL's codes after which the same transaction may well succeed when tried again. */
const RETRYABLE_CODES = new Set(['40001', '40P01'])

/** True when the database asked for the transaction to be tried again. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE_CODES.has(sqlState(error) ?? '')
}

/** SQLSTATE classes that speak of the server and not of the query: connection, resources, shutdown, its own disk. */
const SERVER_CLASSES = new Set(['08', '53', '57', '58'])
/**
 * Of other classes: a lock that another process does not give up, a transaction that waited too long for us, and a
 * database that takes no writes (a standby, or one whose disk is short of room).
 */
const SERVER_STATES = new Set(['55P03', '25P03', '25P04', '25006'])
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** What the driver says, without a code, when a connection is unavailable or has gone. */
const DRIVER_WORDS =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|after calling end on the pool|is closed/

/** True when the database is unavailable at the moment, so that the same query may well succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof NoTurnError || error instanceof MaybeSavedError) return true
  const state = sqlState(error)
  if (state !== undefined) return SERVER_CLASSES.has(state.slice(0, 2)) || SERVER_STATES.has(state)
  if (isDiskTrouble(error)) return true
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && NETWORK_CODES.has(error.code)) return true
  if (isWithoutSocket(error)) return true
  return DRIVER_WORDS.test(error.message)
}

/** A server on this machine that is not running has no socket either. */
function isWithoutSocket(error: Error): boolean {
  return 'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
}

/** What undici says of a connection that could not be made, or brought nothing in time. */
const UNDICI_CODE = /^UND_ERR_(?:CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT|SOCKET)$/

/**
 * True when a place is at fault (the database, a disk, the media store, a provider that is away) and not what was asked of it: it
 * says nothing of the delivery or the job at hand. A statement that takes too long may do so each time, whatever else the
 * database does.
 */
export function isNotItsFault(error: unknown): boolean {
  if (isTimeout(error)) return false
  return isCausedBy(error, (each) => isUnavailable(each) || isRetryable(each) || isAway(each) || isTimeUp(each))
}

function isTimeUp(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'TimeoutError' || ('code' in error && UNDICI_CODE.test(String(error.code)))
}

/** True when the statement was stopped because it took too long. */
export function isTimeout(error: unknown): boolean {
  return sqlState(error) === '57014'
}

/** SQLSTATE classes that speak of the values: their form, their constraints, their size. */
const VALUE_CLASSES = new Set(['21', '22', '23', '54'])

/** True when the database says no to these values, now and later. */
export function isAboutValues(error: unknown): boolean {
  return VALUE_CLASSES.has(sqlState(error)?.slice(0, 2) ?? '')
}

/** The SQLSTATE of a database error, on either driver. None begins with E, as error codes of the system do. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(error.code) ? error.code : undefined
}

/** The constraint, column and table a database error is about, when the driver tells. */
export function violated(error: unknown): { constraint?: string; column?: string; table?: string } {
  if (typeof error !== 'object' || error === null) return {}
  const { constraint, column, table } = error as { constraint?: unknown; column?: unknown; table?: unknown }
  return {
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof column === 'string' ? { column } : {}),
    ...(typeof table === 'string' ? { table } : {}),
  }
}
