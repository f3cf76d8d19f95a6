import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'

/** How long the oldest job that is due has been waiting, in whole seconds; 0 when none is. */
export async function oldestJobSeconds(db: Queryable): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(
    sql`select coalesce(floor(extract(epoch from now() - min(start_after))), 0)::int as seconds from jobs.job
        where state in ('created', 'retry') and start_after <= now()`,
  )
  return row?.seconds ?? 0
}
