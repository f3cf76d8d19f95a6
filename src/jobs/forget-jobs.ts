import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'

/** Removes the jobs, and their results, that the pattern finds something in, unless one is being worked on; gives how many. */
export async function removeJobsNaming(db: Queryable, pattern: string): Promise<number> {
  if (pattern === '') return 0
  const rows = await db.query(
    sql`delete from jobs.job where state <> 'active' and concat_ws(' ', data::text, output::text) ~* ${pattern} returning 1`,
  )
  return rows.length
}
