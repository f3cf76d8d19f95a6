import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Queryable } from './database.ts'
import { sql } from './drizzle.ts'
import { MIGRATIONS_FOLDER } from './migrations-folder.ts'

/** How many migrations a database has had, and how many this program brings. */
export interface SchemaVersion {
  /** 0 for a database that no program has been started on. */
  present: number
  needed: number
}

/** Reads which version the tables are of, and changes nothing. */
export async function readSchemaVersion(db: Queryable): Promise<SchemaVersion> {
  const journal = readFileSync(path.join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8')
  const { entries } = JSON.parse(journal) as { entries: unknown[] }
  const [known] = await db.query<{ exists: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (known?.exists !== true) return { present: 0, needed: entries.length }
  const [applied] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from drizzle.__drizzle_migrations`,
  )
  return { present: applied?.count ?? 0, needed: entries.length }
}
