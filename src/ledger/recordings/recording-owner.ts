import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'

/** Recordings of calls belong to whom the calls belong to, where they belong to nobody yet. */
export async function giveRecordingsOfCalls(db: Queryable, calls: readonly number[]): Promise<void> {
  await db.query(
    sql`update connect_recording r set partner = c.partner, write_date = now() at time zone 'utc'
        from connect_call c where c.id in (${idList(calls)}) and r.call = c.id and r.partner is null
          and c.partner is not null`,
  )
}
