import type pg from 'pg'
import { loadMigrator } from './drizzle.ts'
import { MIGRATIONS_FOLDER } from './migrations-folder.ts'
import { hasAllMigrations } from './schema-version.ts'

/** Applies over a connection the migrations that have not been applied yet. */
export async function migrate(client: pg.PoolClient): Promise<void> {
  const isDone = await hasAllMigrations(async (text) => (await client.query(text)).rows)
  if (!isDone) await loadMigrator()(client, MIGRATIONS_FOLDER)
}
