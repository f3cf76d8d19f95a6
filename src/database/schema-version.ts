import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from '../config.ts'
import type { Queryable } from './database.ts'
import { sql } from './drizzle.ts'
import { MIGRATIONS_FOLDER } from './migrations-folder.ts'

/** Up to which migration a database is, and how many this program brings. */
export interface SchemaVersion {
  /** 0 for a database that no program has been started on; more than `needed` after a later version of the program. */
  present: number
  needed: number
}

interface Answer {
  exists?: boolean
  newest_at?: number | null
}

/** Runs one statement, whatever runs it. */
type Ask = (text: string) => Promise<Answer[]>

/** Reads which version the tables are of, and changes nothing. */
export async function readSchemaVersion(db: Queryable): Promise<SchemaVersion> {
  const newestAt = await readNewest((text) => db.query(sql.raw(text)))
  const times = migrationTimes()
  const isLater = newestAt > (times.at(-1) ?? 0)
  return { present: times.filter((when) => when <= newestAt).length + (isLater ? 1 : 0), needed: times.length }
}

/**
 * Whether Drizzle's migrator would find nothing to do, told as it tells it: by the time of the newest migration. Loading it and
 * asking it costs up to a tenth of a second of each start.
 *
 * @throws ConfigError when the tables were left between two migrations of this program, which none of them brings further
 */
export async function hasAllMigrations(ask: Ask): Promise<boolean> {
  const newestAt = await readNewest(ask)
  const times = migrationTimes()
  const newest = times.at(-1) ?? 0
  if (newestAt > 0 && newestAt < newest && !times.includes(newestAt)) {
    const problem = `The tables were made by a build that was not released, of ${new Date(newestAt).toISOString().slice(0, 10)}: `
    throw new ConfigError([
      `${problem}Start the last commit that counted its migrations to 0055 on this data once, then this version.`,
    ])
  }
  return newestAt >= newest
}

/** When the newest migration that the database has had was made, in milliseconds of the epoch; 0 without any. */
async function readNewest(ask: Ask): Promise<number> {
  const [known] = await ask(`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`)
  if (known?.exists !== true) return 0
  const [applied] = await ask('select max(created_at)::float8 as newest_at from drizzle.__drizzle_migrations')
  return applied?.newest_at ?? 0
}

/** When each migration of this program was made, oldest first, in milliseconds of the epoch. */
function migrationTimes(): number[] {
  const journal = readFileSync(path.join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8')
  return (JSON.parse(journal) as { entries: { when: number }[] }).entries.map(({ when }) => when)
}
