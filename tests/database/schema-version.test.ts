import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { MIGRATIONS_FOLDER } from '../../src/database/migrations-folder.ts'
import { openDatabase } from '../../src/database/open.ts'
import { hasAllMigrations, readSchemaVersion } from '../../src/database/schema-version.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'

/** When the last migration of 0.1.0 was made, as its databases say it. */
const LAST_OF_0_1_0 = 1_795_644_695_947

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.release())

/** As a start asks. */
function isUpToDate(): Promise<boolean> {
  return hasAllMigrations((text) => database.db.query(sql.raw(text)))
}

test('only a database that has had the newest migration goes without the migrator', async () => {
  const { db } = database
  expect(await isUpToDate()).toBe(true)
  await db.migrate()
  await db.query(sql`delete from drizzle.__drizzle_migrations
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`)
  const { present, needed } = await readSchemaVersion(db)
  expect(present).toBe(needed - 1)
  expect(await isUpToDate()).toBe(false)
  await db.query(sql`update drizzle.__drizzle_migrations set created_at = created_at + 1`)
  await expect(isUpToDate()).rejects.toThrow('a build that was not released')
  await db.query(sql`delete from drizzle.__drizzle_migrations`)
  expect(await isUpToDate()).toBe(false)
  await db.query(sql`drop schema drizzle cascade`)
  expect(await isUpToDate()).toBe(false)
})

test('tables of 0.1.0 are known by the time of its last migration, and brought to the tables of today', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'connect-migrate-'))
  const db = await openDatabase(readConfig({ DATA_DIR: folder }))
  try {
    await db.script(readFileSync(path.join(MIGRATIONS_FOLDER, '0000_first.sql'), 'utf8'))
    await db.script(`create schema drizzle; create table drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint);
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('its 38th', ${LAST_OF_0_1_0})`)
    expect((await readSchemaVersion(db)).present).toBe(1)
    await db.migrate()
    const { present, needed } = await readSchemaVersion(db)
    expect(present).toBe(needed)
    expect(await columnsOf(db)).toEqual(await columnsOf(database.db))
  } finally {
    await db.close()
    rmSync(folder, { recursive: true })
  }
})

function columnsOf(db: Database): Promise<object[]> {
  return db.query(sql`select table_name, column_name, data_type from information_schema.columns
    where table_schema = 'public' order by table_name, column_name`)
}
