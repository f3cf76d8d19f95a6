// The embedded engine in a process of its own: ended when a statement takes too long, and back by itself.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Database, isTimeout, isUnavailable, MaybeSavedError } from '../../../src/database/database.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { openEmbedded } from '../../../src/database/embedded/embedded.ts'
import { ENGINE_LIMITS } from '../../../src/database/embedded/engine-sessions.ts'
import { statement } from '../../../src/database/statement.ts'
import { CHILD_FLAGS } from '../../support/child-node.ts'
import { eventually } from '../../support/test-app.ts'

const SOURCE = path.join(import.meta.dirname, '../../../src')
const LONG = 250
/** So long a process takes to begin on a busy machine. */
const ENGINE_STARTS_MS = 3_000
const ENDED = 'the embedded database ended, and is started again'
/** Takes minutes. */
const ENDLESS = sql`select count(*)::int from generate_series(1, 100000) a, generate_series(1, 100000) b`

/** So often 10 MB are read before its memory is looked at, and after that. */
const [WARM_READS, READS] = [5, 30]
const GROWTH_MB_MAX = 120

/** What the engine's log says: each line with its facts. */
const logged: [facts: Record<string, unknown>, line: string][] = []
const log = {
  error: (facts: object, line: string) => void logged.push([facts as Record<string, unknown>, line]),
  warn: (facts: object, line: string) => void logged.push([facts as Record<string, unknown>, line]),
}

let place: string
/** A data folder with what the service comes with, where the run has prepared one. */
function folderOf(name: string): string {
  const folder = path.join(place, name)
  if (!existsSync(folder) && existsSync(inject('template'))) cpSync(inject('template'), folder, { recursive: true })
  return folder
}

beforeAll(() => {
  place = path.join(path.dirname(inject('template')), 'engines with blanks')
  mkdirSync(place, { recursive: true })
})

/** The process ids of engines that have this folder open. */
function enginesOf(dataDir: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return lines
    .filter((line) => line.includes('engine-process.ts') && line.includes(path.join(dataDir, 'database')))
    .map((line) => Number.parseInt(line, 10))
}

/** Its resident memory. */
function memoryMbOf(engine: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(engine)], { encoding: 'utf8' })) / 1_024
}

async function back(db: Database): Promise<{ id: number }[]> {
  return eventually(() => db.query<{ id: number }>(sql`select id from thing order by id`).catch(() => undefined))
}

describe('the embedded engine', () => {
  let db: Database
  const dataDir = (): string => folderOf('data')

  beforeAll(async () => {
    const limits = {
      ...{ waitMs: 60_000, apiWaitMs: 60_000, apiMs: 300, apiAllMs: 300 },
      ...{ statementMs: 60_000, scriptMs: 60_000 },
    }
    db = await openEmbedded(dataDir(), limits, log as never)
    await db.script('create table thing (id int primary key)')
    // Anyone who adds this one waits for the commit until it is ended.
    await db.script(`create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(600); return null; end';
      create constraint trigger linger after insert on thing deferrable initially deferred
        for each row when (new.id = 9) execute function linger()`)
  })
  afterAll(() => db.close())

  it('an engine that was killed is back with all that was committed, and who waits for it learns that it is unavailable', async () => {
    await db.query(sql`insert into thing values (1)`)
    const [engine] = enginesOf(dataDir())
    const asked = db.query(ENDLESS).catch((error: unknown) => error)
    process.kill(engine ?? 0, 'SIGKILL')
    expect(isUnavailable(await asked)).toBe(true)
    expect(await back(db)).toEqual([{ id: 1 }])
    expect(enginesOf(dataDir())).not.toContain(engine)
    // An operator reads in the log that it ended, as far as known why, and that it is back.
    expect(logged).toEqual([
      [expect.objectContaining({ signal: 'SIGKILL', why: expect.stringContaining('ended by itself') }), ENDED],
      [{ tookMs: expect.any(Number) }, 'the embedded database is back'],
    ])
  })

  it('a query that is asked while the engine starts again waits for it as for a turn', async () => {
    const asked = db.query(ENDLESS).catch((error: unknown) => error)
    process.kill(enginesOf(dataDir())[0] ?? 0, 'SIGKILL')
    expect(isUnavailable(await asked)).toBe(true)
    expect(await Promise.all([1, 2, 3].map(() => db.query(sql`select id from thing`)))).toEqual(
      [1, 2, 3].map(() => [{ id: 1 }]),
    )
  })

  it('a statement of the API that takes longer than its limit ends the engine, which then serves others', async () => {
    const asked = db.transaction((tx) => tx.query(ENDLESS), { isForApi: true }).catch((error: unknown) => error)
    expect(isTimeout(await asked)).toBe(true)
    expect(await back(db)).toEqual([{ id: 1 }])
    expect(logged.at(-2)).toEqual([expect.objectContaining({ why: 'a statement took longer than 300 ms' }), ENDED])
  })

  it('a commit that is cut off may have been saved, and did not take too long', async () => {
    for (const options of [{}, { isForApi: true }]) {
      const adding = db.transaction(async (tx) => {
        await tx.query(sql`insert into thing values (9)`)
        if (options.isForApi !== true) setTimeout(() => process.kill(enginesOf(dataDir())[0] ?? 0, 'SIGKILL'), 200)
      }, options)
      const error = await adding.catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(MaybeSavedError)
      expect([isTimeout(error), isUnavailable(error)]).toEqual([false, true])
      expect(await back(db)).toEqual([{ id: 1 }])
    }
  })

  it('what was stopped before its commit took too long, and was not saved', async () => {
    const endless = statement<never>('endless', ENDLESS)
    const stopped = db.transaction(async (tx) => tx.send(endless, {}), { isForApi: true })
    expect(isTimeout(await stopped.catch((error: unknown) => error))).toBe(true)
    expect(await back(db)).toEqual([{ id: 1 }])
  })

  it('a call of the API that takes longer than its limit in many statements is rolled back, and the engine goes on', async () => {
    const [engine] = enginesOf(dataDir())
    const endless = db.transaction(
      async (tx) => {
        await tx.query(sql`insert into thing values (2)`)
        for (;;) await tx.query(sql`select pg_sleep(0.01)`)
      },
      { isForApi: true },
    )
    expect(isTimeout(await endless.catch((error: unknown) => error))).toBe(true)
    expect(await db.query(sql`select id from thing`)).toEqual([{ id: 1 }])
    expect(enginesOf(dataDir())).toEqual([engine])
  })

  const reading = { isForApi: true, onlyReads: true }

  it('a call of the API that only reads lets others have their turn between two of its statements', async () => {
    const seen = await db.transaction(async (tx) => {
      await tx.query(sql`select 1`)
      await db.query(sql`insert into thing values (3)`)
      return tx.query(sql`select id from thing order by id`)
    }, reading)
    expect(seen).toEqual([{ id: 1 }, { id: 3 }])
    await db.query(sql`delete from thing where id = 3`)
  })

  it('a call of the API that only reads is ended when its statements take too long together, without its waits', async () => {
    const patient = await db.transaction(async (tx) => {
      for (let nth = 0; nth < 2; nth += 1) {
        const slept = db.query(sql`select pg_sleep(0.4)`)
        await tx.query(sql`select 1`)
        await slept
      }
      return tx.query(sql`select 2 as two`)
    }, reading)
    expect(patient).toEqual([{ two: 2 }])
    const endless = db.transaction(async (tx) => {
      for (;;) await tx.query(sql`select pg_sleep(0.01)`)
    }, reading)
    expect(isTimeout(await endless.catch((error: unknown) => error))).toBe(true)
    expect(await db.query(sql`select id from thing`)).toEqual([{ id: 1 }])
  })

  it('work that only reads cannot change anything', async () => {
    const notifying = db.transaction(async (tx) => tx.notify('connect_inbox', ''), reading)
    await expect(notifying).rejects.toThrow('only reads')
  })

  it('the engine keeps nothing of the rows that it has answered', async () => {
    const [engine = 0] = enginesOf(dataDir())
    const read = () => db.query(sql`select repeat(i::text, 200) as text from generate_series(10001, 20000) i`)
    for (let nth = 0; nth < WARM_READS; nth += 1) await read()
    const before = memoryMbOf(engine)
    for (let nth = 0; nth < READS; nth += 1) await read()
    expect(enginesOf(dataDir())).toEqual([engine])
    expect(memoryMbOf(engine) - before).toBeLessThan(GROWTH_MB_MAX)
  })

  it('a listener hears what is notified after the engine was killed', async () => {
    const heard: string[] = []
    await db.listen('connect_inbox', (payload) => heard.push(payload))
    process.kill(enginesOf(dataDir())[0] ?? 0, 'SIGKILL')
    await back(db)
    await db.transaction((tx) => tx.notify('connect_inbox', 'here'))
    expect(heard).toContain('here')
  })

  it('nobody waits longer for a turn at the engine than is allowed', async () => {
    const other = await openEmbedded(folderOf('other'), { ...ENGINE_LIMITS, waitMs: 2_000 })
    try {
      const late = await other.transaction(async (tx) => {
        await tx.query(sql`select 1`)
        return other.query(sql`select 1`).catch((error: unknown) => error)
      })
      expect(isUnavailable(late)).toBe(true)
    } finally {
      await other.close()
    }
  })

  it('a call of the API waits longer for its turn than a delivery does', async () => {
    const other = await openEmbedded(folderOf('patient'), { ...ENGINE_LIMITS, waitMs: 1_000 })
    try {
      const { promise: isEnded, resolve: end } = Promise.withResolvers<void>()
      const holder = other.transaction(async (tx) => {
        await tx.query(sql`select 1`)
        await isEnded
      })
      const call = other.transaction((tx) => tx.query(sql`select 2 as two`), { isForApi: true })
      const delivery = await other.query(sql`select 1`).catch((error: unknown) => error)
      expect(isUnavailable(delivery)).toBe(true)
      end()
      await holder
      expect(await call).toEqual([{ two: 2 }])
    } finally {
      await other.close()
    }
  })
})

describe('the process of the embedded engine', () => {
  it('the engine ends with the service that started it, also in the middle of a statement, and its folder opens', async () => {
    const dataDir = folderOf('killed')
    const program = `
      import { openEmbedded } from '${SOURCE}/database/embedded/embedded.ts'
      import { sql } from '${SOURCE}/database/drizzle.ts'
      const db = await openEmbedded(process.env.DATA_DIR)
      await db.script('create table thing (id int); insert into thing values (7)')
      console.log('ready')
      await db.query(sql\`select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b\`)`
    const file = path.join(place, 'service.mjs')
    writeFileSync(file, program)
    const service = spawn(process.execPath, [...CHILD_FLAGS, file], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(service.stdout, 'data')
    expect(enginesOf(dataDir)).toHaveLength(1)
    service.kill('SIGKILL')
    await eventually(async () => enginesOf(dataDir).length === 0)
    const db = await openEmbedded(dataDir)
    expect(await db.query(sql`select id from thing`)).toEqual([{ id: 7 }])
    await db.close()
    expect(enginesOf(dataDir)).toEqual([])
  })

  it('an engine waits for that of an earlier service, which takes a moment to end', async () => {
    const dataDir = folderOf('handed over')
    mkdirSync(dataDir, { recursive: true })
    const earlier = new DatabaseSync(path.join(dataDir, 'engine.lock'))
    earlier.exec('pragma locking_mode = exclusive; begin exclusive')
    let hasEnded = false
    const opening = openEmbedded(dataDir).then(async (db) => {
      expect(hasEnded).toBe(true)
      expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
      await db.close()
    })
    await Promise.race([opening, delay(ENGINE_STARTS_MS)])
    hasEnded = true
    earlier.close()
    await opening
  })

  it('the process of the engine is given none of our secrets', async () => {
    const dataDir = folderOf('secretive')
    process.env.SECRET_KEY = 'a secret'
    const db = await openEmbedded(dataDir)
    delete process.env.SECRET_KEY
    const [engine] = enginesOf(dataDir)
    if (existsSync('/proc/self/environ')) {
      expect(readFileSync(`/proc/${engine}/environ`, 'utf8')).not.toContain('SECRET_KEY')
    }
    await db.close()
  })

  it('the log says why an engine does not start again, and what helps', async () => {
    const dataDir = folderOf('broken')
    const db = await openEmbedded(dataDir, ENGINE_LIMITS, log as never)
    logged.length = 0
    renameSync(path.join(dataDir, 'database', 'pg_wal'), path.join(dataDir, 'kept'))
    process.kill(enginesOf(dataDir)[0] ?? 0, 'SIGKILL')
    const [facts] = await eventually(async () => logged.find(([, line]) => line.includes('does not start')))
    expect(String((facts.err as Error).message)).toMatch(/is damaged: the engine says ".+"\. Restore a backup/)
    await db.close()
  })

  it('an engine serves a folder with a long path', async () => {
    const dataDir = folderOf('x'.repeat(LONG))
    const db = await openEmbedded(dataDir)
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    await db.close()
    expect(existsSync(path.join(dataDir, '.s.PGSQL.5432'))).toBe(false)
  })
})
