import { mkdir } from 'node:fs/promises'
import { fromPglite } from 'pg-boss'
import { DiskRoom } from '../../disk-room.ts'
import type { Logger } from '../../log.ts'
import { copyRunningEngine } from '../copy-running.ts'
import type { Database } from '../database.ts'
import type { SQL } from '../drizzle.ts'
import { migrate } from '../migrate.ts'
import { apiShareOf } from '../server/api-share.ts'
import { queryable, readingOnly, transaction } from '../session.ts'
import { explainDamage } from './damage.ts'
import { Engine, requireRoomToStart } from './engine.ts'
import { ensureEngineFolder } from './engine-folder.ts'
import { EngineNotices } from './engine-notices.ts'
import { ENGINE_LIMITS, type EngineLimits, EngineSessions } from './engine-sessions.ts'
import { lockFolder } from './folder-lock.ts'
import { clearRemains } from './remains.ts'
import { lookAfterTables } from './upkeep.ts'
import { compareWithWatermark, startSavingWatermark } from './watermark.ts'

/**
 * Free bytes below which the embedded engine only reads: four files of its log, which it makes whole when it needs one.
 * What is sent to it in the meantime must fit as well.
 */
const ENGINE_ROOM_BYTES = 64 * 1024 * 1024

/**
 * Opens the embedded database in `dataDir/database`, creating it when it is not there. Takes the folder's lock first,
 * because the engine itself does not: two processes on one folder lose acknowledged rows.
 */
export async function openEmbedded(
  dataDir: string,
  limits: EngineLimits = ENGINE_LIMITS,
  log?: Pick<Logger, 'error' | 'warn'>,
): Promise<Database> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockFolder(dataDir)
  let engine: Engine | undefined
  try {
    const room = new DiskRoom(dataDir, ENGINE_ROOM_BYTES)
    requireRoomToStart(room)
    const folder = await ensureEngineFolder(dataDir)
    engine = await explainDamage(folder, () => Engine.start({ dataDir, folder, room, log }))
    const notices = new EngineNotices()
    const sessions = new EngineSessions({ engine, room, notices, limits })
    const { query } = queryable({ query: (asked) => sessions.query(asked, { statementMs: limits.statementMs }) })
    const readMark = (mark: SQL): Promise<{ at: string }[]> => query<{ at: string }>(mark)
    const loss = await explainDamage(folder, () => compareWithWatermark(dataDir, readMark))
    const stopMarking = startSavingWatermark(dataDir, readMark)
    const close = async (): Promise<void> => {
      await stopMarking()
      await sessions.close()
      await engine?.close()
      lock.release()
    }
    return {
      ...embeddedDatabase({ sessions, notices, room, folder, limits }),
      place: dataDir,
      loss,
      close: once(close),
    }
  } catch (error) {
    await engine?.close()
    lock.release()
    throw error
  }
}

/** A second call waits for the first. */
function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => (closed ??= close())
}

interface Parts {
  sessions: EngineSessions
  notices: EngineNotices
  room: DiskRoom
  folder: string
  limits: EngineLimits
}

function embeddedDatabase(parts: Parts): Omit<Database, 'place' | 'loss' | 'close'> {
  const { sessions, notices, room, folder, limits } = parts
  const { apiWaitMs, apiMs, apiAllMs, statementMs } = limits
  const apiShare = apiShareOf(1)
  const forApi = { statementMs: apiMs, allMs: apiAllMs, waitMs: apiWaitMs }
  /** Tables whose large indexes are looked after when nobody calls. */
  const deferred = new Set<string>()
  const { run, query } = queryable({ query: (asked) => sessions.query(asked, { statementMs }) })
  const notify: EngineNotices['notify'] = (channel, payload) => notices.notify(channel, payload)
  const of = (taking: Parameters<EngineSessions['take']>[0]) => ({ take: () => sessions.take(taking), notify })
  const script = async (text: string): Promise<void> => {
    room.require()
    await sessions.script(text)
  }
  return {
    kind: 'embedded',
    room,
    run,
    query,
    transaction: (work, { isForApi = false, onlyReads = false } = {}) => {
      if (!isForApi) return transaction(of({ statementMs }), work)
      if (!onlyReads) return apiShare.use(() => transaction(of(forApi), work))
      const turns = sessions.inTurns(forApi)
      return work(readingOnly({ query: (asked) => apiShare.use(() => turns.query(asked)) }))
    },
    listen: (channel, hear) => listen(parts, channel, hear).then(() => undefined),
    queueOptions: () => ({ db: fromPglite(queueClient(parts)), backend: 'pglite', useListenNotify: true }),
    migrate: () => explainDamage(folder, () => sessions.apart(migrate)),
    script,
    lookAfterTables: ({ isQuiet = true } = {}) => lookAfterTables({ query, script }, { isQuiet, deferred }),
    clearRemains: (options) => clearRemains({ query, script }, options),
    copyWhileRunning: (target, options) => copyRunningEngine({ sessions, folder }, target, options),
  }
}

/** Gives what ends it. */
async function listen(
  { sessions, notices, limits: { statementMs } }: Parts,
  channel: string,
  hear: (payload: string) => void,
): Promise<() => Promise<void>> {
  try {
    if (notices.add(channel, hear)) await sessions.query({ text: `listen "${channel}"` }, { statementMs })
  } catch (error) {
    // Anyone who comes next has to ask for the channel again.
    notices.remove(channel, hear)
    throw error
  }
  return async () => notices.remove(channel, hear)
}

/** What the job queue needs of the engine. */
function queueClient(parts: Parts): Parameters<typeof fromPglite>[0] {
  const { sessions, room } = parts
  const { statementMs } = parts.limits
  return {
    async query<Row>(text: string, values: unknown[] = []) {
      const { rows } = await sessions.query({ text, values }, { statementMs })
      return { rows: rows as Row[] }
    },
    /** Several statements, which may open a transaction: one that fails leaves none open. */
    async exec(text) {
      room.require()
      const session = await sessions.take({ statementMs })
      let broken: Error | undefined
      try {
        const answers: unknown = await session.query({ text })
        return (Array.isArray(answers) ? answers : [answers]) as { rows: unknown[] }[]
      } catch (error) {
        broken = await session.query({ text: 'rollback' }).then(
          () => undefined,
          (failure: Error) => failure,
        )
        throw error
      } finally {
        session.release(broken)
      }
    },
    listen: (channel, hear) => listen(parts, channel, hear),
  }
}
