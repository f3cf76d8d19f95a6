import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'

/** Removes the answers that no call of a tool can repeat any more; they would go within the hour anyway. */
export async function removeOldAnswers(db: Queryable, seconds: number): Promise<number> {
  const rows = await db.query(sql`delete from connect_tool_answer
    where answered_at < (now() at time zone 'utc') - make_interval(secs => ${seconds}::int) returning 1`)
  return rows.length
}
