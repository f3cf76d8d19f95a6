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
  const entries = migrations()
  const [known] = await db.query<{ exists: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (known?.exists !== true) return { present: 0, needed: entries.length }
  const [applied] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from drizzle.__drizzle_migrations`,
  )
  return { present: applied?.count ?? 0, needed: entries.length }
}

/**
 * Whether Drizzle's migrator would find nothing to do, told as it tells it: by the time of the newest migration. Loading it and
 * asking it costs a tenth of a second of each start. `ask` runs one statement.
 */
export async function hasAllMigrations(
  ask: (text: string) => Promise<{ rows: Record<string, unknown>[] }>,
): Promise<boolean> {
  const known = await ask(`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`)
  if (known.rows[0]?.['exists'] !== true) return false
  const { rows } = await ask('select max(created_at)::float8 as newest from drizzle.__drizzle_migrations')
  return Number(rows[0]?.['newest'] ?? 0) >= Math.max(...migrations().map(({ when }) => when))
}

/** What this program brings, in order; `when` in milliseconds of the epoch. */
function migrations(): { when: number }[] {
  const journal = readFileSync(path.join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8')
  return (JSON.parse(journal) as { entries: { when: number }[] }).entries
}
