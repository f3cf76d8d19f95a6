import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'

/** Whether a person can sign in, or ever could. */
export async function isSetUp(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`select 1 from connect_settings where was_set_up limit 1`)
  return rows.length > 0
}

/** For good: also when the only person with a password loses it. The command line makes another one. */
export async function markSetUp(db: Queryable): Promise<void> {
  await db.query(sql`update connect_settings set was_set_up = true where was_set_up is not true`)
}
