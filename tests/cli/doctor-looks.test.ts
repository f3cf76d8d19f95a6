// The doctor of an installation that nobody serves: it looks, and everything stays as it was.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/app/checks/finding.ts'
import { readConfig } from '../../src/config.ts'
import { sql } from '../../src/database/drizzle.ts'
import { lockFolder } from '../../src/database/embedded/folder-lock.ts'
import { openDatabase } from '../../src/database/open.ts'
import { readSchemaVersion } from '../../src/database/schema-version.ts'
import { openServerToLook } from '../../src/database/server/server.ts'
import { CommandProcess, runCommand } from '../support/command.ts'
import { createServerDatabase, dropServerDatabase } from '../support/database.ts'
import { Place } from '../support/service-process.ts'

let place: Place
let scratch: string

beforeAll(async () => {
  place = await Place.prepared()
  scratch = `${place.dataDir}-scratch`
  mkdirSync(scratch)
  // As a first start leaves it, with keys and files of locks.
  expect(await runCommand(['settings', 'set', 'account_sid', 'AC1'], place.env)).toMatchObject({ code: 0 })
})
beforeEach(() => {
  expect(readdirSync(scratch)).toEqual([])
})
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  await place.remove()
})

describe('the doctor', () => {
  it('looks at the records, and changes no byte of the folder', async () => {
    const before = checksums()
    if (place.databaseUrl === undefined) expect(Object.keys(before)).toContain('connect.lock.owner')
    const { code, findings } = await doctor()
    expect(code).toBe(0)
    const ok = (check: string) => expect.objectContaining({ check, result: 'ok' })
    expect(findings).toEqual(expect.arrayContaining(['schema', 'disk', 'dead deliveries', 'recordings'].map(ok)))
    expect(checksums()).toEqual(before)
    expect(readdirSync(scratch)).toEqual([])
  })

  it('says that the tables are to be migrated, and does not do it', async () => {
    const last = await changeMigrations(sql`delete from drizzle.__drizzle_migrations
      where id = (select max(id) from drizzle.__drizzle_migrations) returning hash, created_at::text`)
    const { present, needed } = await versionOf()
    const before = checksums()
    const { code, findings } = await doctor()
    expect(code).toBe(0)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'schema',
        finding: expect.stringContaining(`is at version ${present}, this program needs ${needed}: it will be migrated`),
      }),
    )
    expect(needed).toBe(present + 1)
    expect(checksums()).toEqual(before)
    expect((await versionOf()).present).toBe(present)
    await changeMigrations(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${last.hash}, ${last.created_at}::bigint)`,
    )
  })

  it('says that a later version has written the tables', async () => {
    await changeMigrations(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9000000000000::bigint)`,
    )
    const { code, findings } = await doctor()
    expect(code).toBe(3)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'schema',
        result: 'WRONG',
        finding: expect.stringContaining('a later version has written it'),
      }),
    )
    await changeMigrations(sql`delete from drizzle.__drizzle_migrations where hash = 'of a later version'`)
  })

  it('wants the key of the secrets, and makes none', async () => {
    const { SECRET_KEY: _secretKey, ...env } = place.env
    const before = checksums()
    const without = await doctor(env)
    expect(without).toMatchObject({ code: 3 })
    expect(without.findings).toContainEqual(
      expect.objectContaining({ check: 'secret key', finding: expect.stringContaining('holds secrets, but there is') }),
    )
    const other = await doctor({ ...env, SECRET_KEY: 'the secret key of somebody else' })
    expect(other.findings).toContainEqual(
      expect.objectContaining({ check: 'secret key', finding: expect.stringContaining('is not the key') }),
    )
    expect(checksums()).toEqual(before)
  })

  it('refuses a folder that another process has', async ({ skip }) => {
    skip(place.databaseUrl !== undefined, 'a database on a server is for many')
    const lock = lockFolder(place.dataDir)
    try {
      const refused = await runCommand(['doctor'], place.env)
      expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('is in use by process') })
    } finally {
      lock.release()
    }
  })

  it('names what is damaged, and leaves it so', async ({ skip }) => {
    skip(place.databaseUrl !== undefined, 'the files of a server are its own')
    const control = path.join(place.dataDir, 'database/global/pg_control')
    const bytes = readFileSync(control)
    rmSync(control)
    const before = checksums()
    const { code, findings } = await doctor()
    expect(code).toBe(3)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'database',
        finding: expect.stringContaining(`The database in ${path.join(place.dataDir, 'database')} is damaged`),
      }),
    )
    expect(checksums()).toEqual(before)
    writeFileSync(control, bytes)
  })

  it('makes nothing in an empty database, nor a data folder beside it', async ({ skip }) => {
    skip(place.databaseUrl === undefined, 'there is no PostgreSQL server')
    const url = await createServerDatabase('template0')
    try {
      const dataDir = `${place.dataDir}-new`
      const { code, findings } = await doctor({ DATA_DIR: dataDir, DATABASE_URL: url })
      expect(code).toBe(0)
      expect(findings).toContainEqual(expect.objectContaining({ check: 'schema', finding: 'the database is empty' }))
      expect(existsSync(dataDir)).toBe(false)
      const db = await openServerToLook(url)
      const schemas = await db.query(sql`select 1 from pg_namespace where nspname in ('drizzle', 'jobs')`)
      expect(schemas).toEqual([])
      await expect(db.script('create table made (id bigint)')).rejects.toMatchObject({ code: '25006' })
      await db.close()
    } finally {
      await dropServerDatabase(url)
    }
  })

  it('says that a server is away', async ({ skip }) => {
    skip(place.databaseUrl === undefined, 'there is no PostgreSQL server')
    const { code, findings } = await doctor({ ...place.env, DATABASE_URL: 'postgres://127.0.0.1:9/nothing' })
    expect(code).toBe(3)
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database', result: 'WRONG' }))
  })
})

/** Runs as a process of its own, so that whatever it leaves in the folder for temporary files shows. */
async function doctor(env: Record<string, string> = place.env): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, out, err } = await new CommandProcess(['--json', 'doctor'], { ...env, TMPDIR: scratch }).ended()
  if (out === '') throw new Error(err)
  return { code, findings: JSON.parse(out) as Finding[] }
}

/** Of every file in the data folder: what is in it, and when that was written. */
function checksums(): Record<string, string> {
  const names = readdirSync(place.dataDir, { recursive: true, encoding: 'utf8' }).toSorted()
  return Object.fromEntries(
    names.map((name) => {
      const file = path.join(place.dataDir, name)
      const stats = statSync(file)
      const bytes = stats.isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex') : ''
      return [name, `${stats.mtimeMs} ${bytes}`]
    }),
  )
}

async function versionOf(): ReturnType<typeof readSchemaVersion> {
  const db = await openDatabase(readConfig(place.env))
  return readSchemaVersion(db).finally(() => db.close())
}

async function changeMigrations(statement: ReturnType<typeof sql>): Promise<{ hash: string; created_at: string }> {
  const db = await openDatabase(readConfig(place.env))
  const [row] = await db.query<{ hash: string; created_at: string }>(statement).finally(() => db.close())
  return row ?? { hash: '', created_at: '' }
}
