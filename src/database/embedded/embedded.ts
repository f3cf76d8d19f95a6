import { mkdir } from 'node:fs/promises'
import type { PGlite } from '@electric-sql/pglite'
import { fromPglite } from 'pg-boss'
import { ConfigError } from '../../config.ts'
import { DiskRoom } from '../../disk-room.ts'
import { asError } from '../../errors.ts'
import { atLength } from '../../standstill.ts'
import { copyRunningEngine } from '../copy-running.ts'
import type { Database, Transaction } from '../database.ts'
import { loadMigrators, type SQL } from '../drizzle.ts'
import { MIGRATIONS_FOLDER } from '../migrations-folder.ts'
import { EMBEDDED_QUERY_COST_MAX, PATTERN_COSTS } from '../query-cost.ts'
import { hasAllMigrations } from '../schema-version.ts'
import { Share } from '../server/api-share.ts'
import { compile, type Statement } from '../statement.ts'
import { firstFailure, untilCommitted } from '../transaction.ts'
import { explainDamage } from './damage.ts'
import { ensureEngineFolder } from './engine-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { Precedence } from './precedence.ts'
import { PreparedStatements } from './prepared.ts'
import { clearRemains } from './remains.ts'
import { lookAfterTables } from './upkeep.ts'
import { compareWithWatermark, startSavingWatermark } from './watermark.ts'

/** Date-times stay the text the database wrote: without zone, UTC, with up to six decimals. */
const TEXT_AS_IS = { 1082: String, 1114: String, 1184: String }

/**
 * How the engine differs from its own defaults. With 128 MB of buffers it needs 60 MB more of memory from the first moment
 * and reads no faster here. At the default cost of a page that is not the next one, a plan that was made while a table was
 * small reads through all of it, and is kept when it has grown. A sample of 3,000 rows instead of 30,000 tells as much of
 * tables that are looked up by number and time, and nobody is answered while it is taken (decision 0010).
 */
const ENGINE_SETTINGS = ['shared_buffers=64MB', 'random_page_cost=1.1', 'default_statistics_target=10']

/**
 * Free bytes below which the embedded engine only reads: four files of its log, which it makes whole when it needs one.
 * What is sent to it in the meantime must fit as well.
 */
const ENGINE_ROOM_BYTES = 64 * 1024 * 1024

/**
 * Opens the embedded database in `dataDir/database`, creating it when it is not there. Takes the folder's lock first,
 * because the engine itself does not: two processes on one folder lose acknowledged rows.
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockFolder(dataDir)
  try {
    const room = new DiskRoom(dataDir, ENGINE_ROOM_BYTES)
    requireRoomToStart(room)
    const folder = await ensureEngineFolder(dataDir)
    const { PGlite } = await import('@electric-sql/pglite')
    const startParams = [...PGlite.defaultStartParams, ...ENGINE_SETTINGS.flatMap((setting) => ['-c', setting])]
    const client = await atLength(() =>
      explainDamage(folder, () => PGlite.create({ dataDir: folder, parsers: TEXT_AS_IS, startParams })),
    )
    const statements = new PreparedStatements(client, room)
    const readMark = (built: SQL): Promise<{ at: string }[]> => {
      const { text, values } = compile(built)
      return statements.query<{ at: string }>(text, values)
    }
    const loss = await compareWithWatermark(dataDir, readMark)
    const stopMarking = startSavingWatermark(dataDir, readMark)
    const released = async (): Promise<void> => {
      await stopMarking()
      if (!client.closed) await client.close()
      lock.release()
    }
    return embeddedDatabase({ client, statements, room, loss, folder }, dataDir, released)
  } catch (error) {
    lock.release()
    throw error
  }
}

/** An engine that finds no room while it starts does not say so but stands still. */
function requireRoomToStart(room: DiskRoom): void {
  try {
    room.require()
  } catch (error) {
    const { message } = asError(error)
    throw new ConfigError([`DATA_DIR has too little room for the embedded database. ${message} Make room there.`], {
      cause: error,
    })
  }
}

interface Engine {
  client: PGlite
  room: DiskRoom
  folder: string
  /** What is missing at the end of its log. */
  loss: string | undefined
  statements: PreparedStatements
}

function embeddedDatabase(engine: Engine, place: string, released: () => Promise<void>): Database {
  const { client, statements, room, loss, folder } = engine
  // One call of the API after the other, and after what waits besides, so that a webhook waits for one of them at most.
  const apiShare = new Share(1)
  const precedence = new Precedence()
  /** Tables whose large indexes are looked after when nobody calls. */
  const deferred = new Set<string>()
  const query = async <Row>(built: SQL): Promise<Row[]> => {
    const { text, values } = compile(built)
    return precedence.ahead(() => statements.query<Row>(text, values))
  }
  const standBack = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await precedence.standBack()
    return work()
  }
  const script = async (text: string): Promise<void> => {
    room.require()
    await atLength(() => client.exec(text))
  }
  const patiently = (text: string): Promise<void> => standBack(() => script(text))
  return {
    kind: 'embedded',
    place,
    room,
    loss,
    run: <Row, Params extends object>({ name, text, values }: Statement<Row, Params>, params: Params) =>
      precedence.ahead(() => statements.run<Row>(name, text, values(params))),
    query,
    beforeApi: (work) => precedence.ahead(work),
    queryCostMax: EMBEDDED_QUERY_COST_MAX,
    transaction: (work, { isForApi = false } = {}) =>
      isForApi
        ? apiShare.use(() => standBack(() => transaction(statements, work, { isPlannedAnew: true })))
        : precedence.ahead(() => transaction(statements, work)),
    async listen(channel, hear) {
      await client.listen(channel, hear)
    },
    queueOptions: () => ({ db: fromPglite(queueClient(engine)), backend: 'pglite', useListenNotify: true }),
    async migrate() {
      await atLength(() => explainDamage(folder, () => migrate(client)))
      await client.exec(PATTERN_COSTS)
    },
    script,
    lookAfterTables: ({ isQuiet = true } = {}) => lookAfterTables({ query, script: patiently }, { isQuiet, deferred }),
    clearRemains: (options) => clearRemains({ query, script, standBack: () => precedence.standBack() }, options),
    copyWhileRunning: (target, options) => copyRunningEngine(engine, target, options),
    close: released,
  }
}

async function migrate(client: PGlite): Promise<void> {
  const isDone = await hasAllMigrations(async (text) => (await client.query<object>(text)).rows)
  if (!isDone) await loadMigrators().embedded(client, MIGRATIONS_FOLDER)
}

/** What the job queue needs of the engine, its statements kept prepared like ours. */
function queueClient({ client, statements, room }: Engine): Parameters<typeof fromPglite>[0] {
  return {
    query: async <Row>(text: string, values: unknown[] = []) => ({ rows: await statements.query<Row>(text, values) }),
    exec: async (text) => {
      room.require()
      return client.exec(text)
    },
    listen: (channel, hear) => client.listen(channel, hear),
  }
}

interface OpenParts {
  statements: PreparedStatements
  /** Answers that nobody waits for but the end of the transaction. */
  sent: Promise<unknown>[]
  isOver?: boolean
}

function transaction<Result>(
  statements: PreparedStatements,
  work: (tx: Transaction) => Promise<Result>,
  options: { isPlannedAnew?: boolean } = {},
): Promise<Result> {
  const inside = async (committed: (() => void)[]): Promise<Result> => {
    const parts: OpenParts = { statements, sent: [] }
    try {
      const result = await work(openTransaction(parts, committed))
      await Promise.all(parts.sent)
      return result
    } catch (error) {
      throw (await firstFailure(parts.sent)) ?? error
    } finally {
      parts.isOver = true
    }
  }
  return untilCommitted(({ committed }) => statements.transaction(() => inside(committed), options))
}

function openTransaction(parts: OpenParts, committed: (() => void)[]): Transaction {
  const { statements, sent } = parts
  const requireOpen = (): void => {
    if (parts.isOver === true) throw new Error('the transaction is closed')
  }
  const send = (name: string, text: string, values: readonly unknown[]): void => {
    requireOpen()
    const answered = statements.runInside(name, text, values)
    answered.catch(() => undefined)
    sent.push(answered)
  }
  const ask = async <Row>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    requireOpen()
    return statements.queryInside<Row>(text, values)
  }
  return {
    send: ({ name, text, values }, params) => send(name, text, values(params)),
    async run<Row, Params extends object>({ name, text, values }: Statement<Row, Params>, params: Params) {
      requireOpen()
      return statements.runInside<Row>(name, text, values(params))
    },
    async query<Row>(query: SQL) {
      const { text, values } = compile(query)
      return ask<Row>(text, values)
    },
    async notify(channel, payload) {
      send('notify', 'select pg_notify($1, $2)', [channel, payload])
    },
    execute: async (text, values) => ({ rows: await ask(text, values) }),
    afterCommit: (callback) => committed.push(callback),
  }
}
