import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { writtenBy } from '../../platform/model/written-by.ts'

/** Takes from the legs of calls who was on the other side; gives their ids. */
export async function makeLegsAnonymous(db: Queryable, calls: readonly number[]): Promise<number[]> {
  if (calls.length === 0) return []
  const rows = await db.query<{ id: number }>(sql`update connect_channel set partner = null, caller = null,
      called = null, "to" = null, caller_number = null, called_number = null, caller_name = null,
      forwarded_from = null, ${writtenBy(null)}
    where call in (${idList(calls)}) returning id`)
  return rows.map(({ id }) => id)
}
