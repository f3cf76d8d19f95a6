import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { settingsModel } from '../settings/settings-model.ts'

/** Whether the settings, which every installation has, hold anything that was encrypted. Takes a migrated database. */
export async function holdsSecrets(db: Database): Promise<boolean> {
  const columns = Object.entries(settingsModel.fields).filter(([, { kind }]) => kind === 'secret')
  const isThere = columns.map(([name]) => sql`coalesce(${sql.identifier(name)}, '') <> ''`)
  const rows = await db.query(sql`select id from connect_settings where ${sql.join(isThere, sql` or `)} limit 1`)
  return rows.length > 0
}
