import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { Model } from '../model/model.ts'

/** Whether the settings, which every installation has, hold anything that was encrypted. Needs a migrated database. */
export async function holdsSecrets(db: Database, settings: Model): Promise<boolean> {
  const columns = Object.entries(settings.fields).filter(([, { kind }]) => kind === 'secret')
  const isThere = columns.map(([name]) => sql`coalesce(${sql.identifier(name)}, '') <> ''`)
  const rows = await db.query(sql`select id from connect_settings where ${sql.join(isThere, sql` or `)} limit 1`)
  return rows.length > 0
}
