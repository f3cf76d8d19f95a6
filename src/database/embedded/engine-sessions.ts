import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import pg from 'pg'
import type { DiskRoom } from '../../disk-room.ts'
import { isUnavailable, sqlState } from '../database.ts'
import { getTypeParser, type TakenSession } from '../session.ts'
import type { Engine } from './engine.ts'
import type { EngineNotices } from './engine-notices.ts'

/** How long one may have the only connection to the engine, in milliseconds. */
export interface EngineLimits {
  /** How long a transaction waits for its turn before it learns that the database is unavailable. */
  waitMs: number
  /** The same for a call of the API: a colleague who waits is better off than one who is refused. */
  apiWaitMs: number
  /** How long one statement of the API may take: with the engine's start after it, no delivery waits three seconds. */
  apiMs: number
  /** How long all statements of a transaction of the API may take together: a thousand new records take seconds. */
  apiAllMs: number
  /** The same for one statement of anything else. */
  statementMs: number
  /** The same for what takes long by its nature: a migration, the upkeep of tables. An engine that stands still ends with it. */
  scriptMs: number
}

/** A delivery that waits longer is decided from memory and stored on the disk; most of what somebody asks for takes less. */
export const ENGINE_LIMITS: EngineLimits = {
  ...{ waitMs: 2_500, apiWaitMs: 10_000, apiMs: 2_000, apiAllMs: 15_000, statementMs: 10_000 },
  scriptMs: 30 * 60_000,
}

/** Between attempts at a socket at which nobody listens: the end of a process is heard of a moment after its socket is dead. */
const LOOK_MS = 20

/** The state of a write in a transaction that only reads. */
const READ_ONLY = '25006'
/** Values that are longer, in characters, are measured against the room on the disk by themselves. */
const LARGE_VALUE_CHARS = 256 * 1024
/** What a character costs on disk at most: its bytes in the table and in the log, and again after a checkpoint. */
const BYTES_PER_CHAR = 4
/** What the engine is told when the room runs out, and when it is back. */
const WRITES = { on: 'set default_transaction_read_only = off', off: 'set default_transaction_read_only = on' }
/** Turns of the event loop in which an answer that has arrived is read. */
const TURNS_TO_READ = 2
/** What a transaction that has taken too long may still ask. */
const ENDS: ReadonlySet<string> = new Set(['commit', 'rollback'])

/** The engine was ended, or the transaction was, because a statement took too long; PostgreSQL's own code for it. */
class TookTooLongError extends Error {
  readonly code = '57014'

  constructor(limitMs: number) {
    super(`a statement was stopped after ${limitMs} ms`)
    this.name = 'TookTooLongError'
  }
}

interface Taking {
  /** How long a statement may take; undefined for as long as it takes. */
  statementMs?: number | undefined
  /** How long all of them may take together. */
  allMs?: number | undefined
  /** How long to wait for a turn. */
  waitMs?: number | undefined
}

/** The one connection to the engine, which one transaction after the other has for itself. */
export class EngineSessions {
  readonly #engine: Engine
  readonly #room: DiskRoom
  readonly #pool: pg.Pool
  readonly #limits: Pick<EngineLimits, 'waitMs' | 'scriptMs'>
  /** The process at the other end of each connection. */
  readonly #processes = new WeakMap<pg.ClientBase, number | undefined>()
  readonly #readingOnly = new WeakSet<pg.ClientBase>()
  #isClosing = false

  constructor(parts: {
    engine: Engine
    room: DiskRoom
    notices: EngineNotices
    limits: Pick<EngineLimits, 'waitMs' | 'scriptMs'>
  }) {
    const { engine, room, notices, limits } = parts
    this.#engine = engine
    this.#limits = limits
    this.#room = room
    this.#pool = new pg.Pool({
      host: engine.host,
      user: 'postgres',
      database: 'postgres',
      ssl: false,
      max: 1,
      // Its end would be taken for that of the engine.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: limits.waitMs,
      types: { getTypeParser },
      pipeline: true,
      allowExitOnIdle: true,
    })
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined)
      this.#processes.set(client, engine.process)
      notices.follow(client)
    })
    // Whatever ended the connection, nobody else can talk to that process any more.
    this.#pool.on('remove', (client) => {
      if (!this.#isClosing && this.#processes.get(client) === engine.process)
        engine.kill('its connection was closed: it ended by itself, or something else ended it')
    })
  }

  /** Waits for its turn, and before that for an engine that is starting again. */
  async take({ statementMs, allMs, waitMs }: Taking = {}): Promise<TakenSession> {
    const client = await this.#connect(waitMs)
    const began = performance.now()
    const query = async (asked: pg.QueryConfig): Promise<pg.QueryResult> => {
      const isOver = allMs !== undefined && performance.now() - began > allMs && !ENDS.has(asked.text)
      if (isOver) throw new TookTooLongError(allMs)
      this.#requireRoom(asked.values)
      try {
        return await this.#within(client.query(asked), statementMs)
      } catch (error) {
        throw this.#explained(error)
      }
    }
    try {
      await this.#followRoom(client)
    } catch (error) {
      client.release(true)
      throw error
    }
    return { query, release: (broken) => client.release(broken) }
  }

  /** One statement in a turn of its own. */
  async query(asked: pg.QueryConfig, taking: Taking): Promise<pg.QueryResult> {
    const session = await this.take(taking)
    try {
      return await session.query(asked)
    } finally {
      session.release()
    }
  }

  /** Queries that have a turn each, for work that only reads; the time that all of them may take is theirs and not that of waiting. */
  inTurns({ allMs = Number.POSITIVE_INFINITY, ...taking }: Taking): Pick<TakenSession, 'query'> {
    let tookMs = 0
    return {
      query: async (asked) => {
        if (tookMs > allMs) throw new TookTooLongError(allMs)
        const session = await this.take(taking)
        const began = performance.now()
        try {
          return await session.query(asked)
        } finally {
          tookMs += performance.now() - began
          session.release()
        }
      },
    }
  }

  /** Statements that take long by their nature. */
  async script(text: string): Promise<void> {
    await this.query({ text }, { statementMs: this.#limits.scriptMs })
  }

  /** Work on the driver's own connection, which may take as long as a script. */
  async apart<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect()
    try {
      return await this.#within(work(client), this.#limits.scriptMs)
    } finally {
      client.release()
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#pool.end()
  }

  /** The driver gives up after one `waitMs`; who may wait longer asks it again. */
  async #connect(waitMs: number = this.#limits.waitMs): Promise<pg.PoolClient> {
    const began = performance.now()
    for (;;) {
      await this.#engine.untilUp(waitMs)
      try {
        return await this.#pool.connect()
      } catch (error) {
        if (!isUnavailable(error) || performance.now() - began > waitMs - LOOK_MS) throw error
        await delay(LOOK_MS, undefined, { ref: false })
      }
    }
  }

  /** Nothing stops a statement of the engine but the end of its process. */
  async #within<Result>(asked: Promise<Result>, limitMs: number | undefined): Promise<Result> {
    if (limitMs === undefined) return asked
    let [isOver, isAnswered] = [false, false]
    const timer = setTimeout(async () => {
      // Where this process itself has stood still, the answer may be here and unread.
      for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await setImmediate()
      if (isAnswered) return
      isOver = true
      this.#engine.kill(`a statement took longer than ${limitMs} ms`)
    }, limitMs)
    try {
      return await asked
    } catch (error) {
      throw isOver ? new TookTooLongError(limitMs) : error
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }

  #requireRoom(values: readonly unknown[] = []): void {
    let chars = 0
    for (const value of values) {
      const length = typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
      if (length > LARGE_VALUE_CHARS) chars += length
    }
    if (chars > 0) this.#room.require(chars * BYTES_PER_CHAR)
  }

  /** Without room the engine only reads: when its log cannot grow it does not fail but stands still for ever. */
  async #followRoom(client: pg.PoolClient): Promise<void> {
    const isShort = this.#room.isShort()
    if (isShort === this.#readingOnly.has(client)) return
    await client.query(isShort ? WRITES.off : WRITES.on)
    if (isShort) this.#readingOnly.add(client)
    else this.#readingOnly.delete(client)
  }

  /** What was refused for want of room is told as that. */
  #explained(error: unknown): unknown {
    if (sqlState(error) !== READ_ONLY) return error
    try {
      this.#room.require()
    } catch (short) {
      return short
    }
    return error
  }
}
