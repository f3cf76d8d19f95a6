import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Person } from '../../platform/person/person.ts'

/** Removes the recordings of calls and of contacts, with what was said; their audio goes after them. */
export async function removeRecordingsOf(
  db: Queryable,
  { contacts }: Person,
  calls: readonly number[],
): Promise<number[]> {
  const ofCalls = calls.length === 0 ? sql`` : sql` or call in (${idList(calls)})`
  const rows = await db.query<{ id: number }>(
    sql`delete from connect_recording where partner in (${idList(contacts)})${ofCalls} returning id`,
  )
  return rows.map(({ id }) => id)
}
