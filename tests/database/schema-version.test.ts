import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { hasAllMigrations, readSchemaVersion } from '../../src/database/schema-version.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'

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
  await db.query(sql`delete from drizzle.__drizzle_migrations`)
  expect(await isUpToDate()).toBe(false)
  await db.query(sql`drop schema drizzle cascade`)
  expect(await isUpToDate()).toBe(false)
})
