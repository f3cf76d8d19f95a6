// Backups of a service that goes on: what was acknowledged before is in them, and nobody notices.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { type Sent, sendPostCalls } from '../../storms/deliveries.ts'
import { adoptSecret } from '../fixtures/post-call.ts'
import { aSid } from '../fixtures/records.ts'
import { CommandProcess, type Ran, runCommand } from '../support/command.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'
import { ACCOUNT_SID, AUTH_TOKEN, aVoiceRequest, PUBLIC_URL, sendSigned } from '../support/telco.ts'
import { eventually } from '../support/test-app.ts'

/** Deliveries of each kind before and after the backup. */
const MANY = 30
const AUDIO_BYTES = 20_000
/** A busy machine works slowly. */
const PATIENCE_MS = 150_000
const TEST_TIMEOUT_MS = 480_000
/** What the deliveries of the storm are written to. */
const WRITTEN = ['connect_inbox', 'connect_delivery', 'connect_call', 'connect_channel']
const UNFINISHED = '2020-01-01T00-00-00-000Z.part'

let place: Place
let service: ServiceProcess
const backups = (...names: string[]) => path.join(place.dataDir, 'backups', ...names)

beforeAll(async () => {
  place = await Place.prepared()
  mkdirSync(backups(UNFINISHED), { recursive: true })
  service = await ServiceProcess.start(place.env)
  const vals = { auth_token: AUTH_TOKEN, account_sid: ACCOUNT_SID, api_url: PUBLIC_URL }
  await call('connect.settings', 'write', { ids: [1], vals })
  await adoptSecret((...asked) => call(...asked))
  await adoptSecret(call)
})
afterAll(async () => {
  await service.stop()
  await place.remove()
})

describe('a backup of the running service', () => {
  it('removes what an earlier process left unfinished', ({ skip }) => {
    skip(place.databaseUrl !== undefined, 'a server is backed up with pg_dump')
    expect(existsSync(backups(UNFINISHED))).toBe(false)
  })

  it(
    'holds everything that was acknowledged before, while deliveries storm in and are answered',
    async ({ skip, annotate }) => {
      skip(place.databaseUrl !== undefined, 'a server is backed up with pg_dump')
      const storm = startStorm()
      await eventually(async () => storm.counts().every((count) => count >= MANY), PATIENCE_MS)
      const before = storm.acknowledged()
      const folder = `${place.dataDir}-running`
      const made = await new CommandProcess(['--json', 'backup', folder], place.env).ended()
      expect(made).toMatchObject({ code: 0, err: '' })
      const counts = storm.counts()
      await eventually(async () => storm.counts().every((count, at) => count > (counts[at] ?? 0)), PATIENCE_MS)
      expect(await storm.end()).toEqual([['200'], [200]])

      const { held_ms: heldMs } = JSON.parse(made.out) as { held_ms: number }
      expect(heldMs).toBeGreaterThanOrEqual(0)
      await annotate(`the database was held for ${heldMs} ms`)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      expect(readdirSync(backups())).toEqual([])
      const holds = await restoreAndRead(folder, before)
      expect(holds).toEqual(before)
    },
    TEST_TIMEOUT_MS,
  )

  it('goes into the data folder when no other is named, and only the latest are kept', async ({ skip }) => {
    skip(place.databaseUrl !== undefined, 'a server is backed up with pg_dump')
    const refused = await connect(['backup', 'somewhere', '--keep', '1'])
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('leave the folder out') })
    const first = JSON.parse((await connect(['--json', 'backup'])).out) as { folder: string }
    expect(path.dirname(first.folder)).toBe(backups())
    writeFileSync(backups('my notes'), 'not a backup')
    const said = await connect(['backup', '--keep', '1'])
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining(`Removed ${path.basename(first.folder)}.`) })
    expect(said.out).toMatch(/its database was held for \d+ ms/)
    expect(readdirSync(backups())).toHaveLength(2)
    expect(existsSync(backups('my notes'))).toBe(true)
  })

  it('refuses a folder that holds something, before it begins', async ({ skip }) => {
    skip(place.databaseUrl !== undefined, 'a server is backed up with pg_dump')
    const refused = await connect(['backup', place.dataDir])
    expect(refused).toMatchObject({ code: 3, out: '', err: `${place.dataDir} is not empty.\n` })
  })

  it('a backup of the running service is refused beside a server, whose own program does it', async ({ skip }) => {
    skip(place.databaseUrl === undefined, 'the database is the embedded one')
    await expect(call('connect.settings', 'make_backup')).rejects.toThrow(/422 .*pg_dump/)
    const folder = `${place.dataDir}-running`
    expect(await connect(['backup', folder])).toMatchObject({ code: 0, out: expect.stringContaining('pg_dump') })
    rmSync(folder, { recursive: true })
  })
})

interface Acknowledged {
  conversations: string[]
  legs: string[]
  audio: string[]
}

const KINDS = ['conversations', 'legs', 'audio'] as const

/** Transcripts, audio and reports of calls, as fast as they are answered, until it is ended. */
function startStorm() {
  let isOver = false
  const kinds: Sent[] = []
  const legs: string[] = []
  const statuses = new Set<number>()
  const until = (kind: number) => (sent: Sent) => {
    kinds[kind] = sent
    return isOver
  }
  const posting = [undefined, AUDIO_BYTES].map((audioBytes, kind) =>
    sendPostCalls({
      url: () => service.url,
      until: until(kind),
      senders: 2,
      ...(audioBytes === undefined ? {} : { audioBytes }),
    }),
  )
  const calling = async (): Promise<void> => {
    while (!isOver) {
      const sid = aSid()
      statuses.add(await sendSigned(service.url, '/telco/webhook/callstatus', aVoiceRequest({ CallSid: sid })))
      legs.push(sid)
    }
  }
  const called = calling()
  const acknowledged = (): Acknowledged => ({
    conversations: (kinds[0]?.acknowledged ?? []).toSorted(),
    legs: legs.toSorted(),
    audio: (kinds[1]?.acknowledged ?? []).toSorted(),
  })
  return {
    acknowledged,
    counts: () => Object.values(acknowledged()).map(({ length }) => length),
    /** Which statuses the platform's deliveries were answered with, and the phone provider's. */
    async end(): Promise<[string[], number[]]> {
      isOver = true
      const sent = await Promise.all(posting)
      await called
      return [[...new Set(sent.flatMap((each) => [...each.statuses.keys()]))], [...statuses]]
    },
  }
}

/** Which of these an installation holds that was restored from a backup; its engine has to open without a word. */
async function restoreAndRead(folder: string, wanted: Acknowledged): Promise<Acknowledged> {
  const dataDir = `${place.dataDir}-restored`
  const env = { ...place.env, DATA_DIR: dataDir }
  const mark = readFileSync(path.join(folder, 'database.watermark'), 'utf8').trim()
  expect(mark).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/)
  expect(await runCommand(['restore', folder], env)).toMatchObject({ code: 0, err: '' })
  await readTables(dataDir, mark)
  const restored = await ServiceProcess.start(env)
  try {
    const key = readFileSync(path.join(dataDir, 'local-admin.key'), 'utf8').trim()
    const read = async (model: string, field: string, values: string[]): Promise<string[]> => {
      const rows = await restored.call<Record<string, string>[]>(key, model, 'search_read', {
        domain: [[field, 'in', values]],
        fields: [field],
        limit: 10_000,
      })
      return [...new Set(rows.map((row) => row[field] ?? ''))].toSorted()
    }
    // What waited on disk is brought into the database after the start.
    const holds = await eventually(async () => {
      const found: Acknowledged = {
        conversations: await read('connect.inbox', 'conversation', wanted.conversations),
        audio: await read('connect.inbox', 'conversation', wanted.audio),
        legs: await read('connect.channel', 'sid', wanted.legs),
      }
      const isWhole = KINDS.every((kind) => found[kind].length === wanted[kind].length)
      return isWhole && found
    }, PATIENCE_MS)
    const stored = await restored.call<{ media_ref: string }[]>(key, 'connect.inbox', 'search_read', {
      domain: [['media_ref', '!=', null]],
      fields: ['media_ref'],
      limit: 10_000,
    })
    expect(stored.length).toBeGreaterThanOrEqual(wanted.audio.length)
    const missing = stored.filter(({ media_ref: reference }) => !existsSync(path.join(dataDir, 'media', reference)))
    expect(missing).toEqual([])
    // The level at which a lost end of the log is told.
    expect(restored.out + restored.err).not.toContain('"level":60')
    return holds
  } finally {
    await restored.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Every page of the tables that the storm wrote to is read, and every key has to be there once. */
async function readTables(dataDir: string, mark: string): Promise<void> {
  const db = await openEmbedded(dataDir)
  try {
    expect(db.loss).toBeUndefined()
    const [log] = await db.query<{ reached: boolean }>(
      sql`select pg_current_wal_insert_lsn() >= ${mark}::pg_lsn as reached`,
    )
    expect(log?.reached).toBe(true)
    for (const table of WRITTEN) await db.script(`reindex table ${table}`)
  } finally {
    await db.close()
  }
}

function connect(args: readonly string[]): Promise<Ran> {
  return runCommand(args, place.env)
}

function call<Result>(model: string, method: string, args: object = {}): Promise<Result> {
  return service.call<Result>(place.localKey, model, method, args)
}
