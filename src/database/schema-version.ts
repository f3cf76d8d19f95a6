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

interface Answer {
  exists?: boolean
  count?: number
  newest_at?: number | null
}

/** Runs one statement, whatever runs it. */
type Ask = (text: string) => Promise<Answer[]>

/** Reads which version the tables are of, and changes nothing. */
export async function readSchemaVersion(db: Queryable): Promise<SchemaVersion> {
  const { count } = await readApplied((text) => db.query(sql.raw(text)))
  return { present: count, needed: migrations().length }
}

/**
 * Whether Drizzle's migrator would find nothing to do, told as it tells it: by the time of the newest migration. Loading it and
 * asking it costs up to a tenth of a second of each start.
 */
export async function hasAllMigrations(ask: Ask): Promise<boolean> {
  const { newestAt } = await readApplied(ask)
  return newestAt >= Math.max(...migrations().map(({ when }) => when))
}

/** How many migrations the database has had, and of when the newest is, in milliseconds of the epoch; 0 without any. */
async function readApplied(ask: Ask): Promise<{ count: number; newestAt: number }> {
  const [known] = await ask(`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`)
  if (known?.exists !== true) return { count: 0, newestAt: 0 }
  const [applied] = await ask(
    'select count(*)::int as count, max(created_at)::float8 as newest_at from drizzle.__drizzle_migrations',
  )
  return { count: applied?.count ?? 0, newestAt: applied?.newest_at ?? 0 }
}

/** What this program brings, in order; `when` in milliseconds of the epoch. */
function migrations(): { when: number }[] {
  const journal = readFileSync(path.join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8')
  return (JSON.parse(journal) as { entries: { when: number }[] }).entries
}
