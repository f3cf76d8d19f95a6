import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import type { Person } from '../../platform/person/person.ts'

/** The recordings of calls and of contacts. */
export async function findRecordingsOf(
  db: Queryable,
  { contacts }: Person,
  calls: readonly number[],
): Promise<number[]> {
  const rows = await db.query<{
    id: number
  }>(sql`select id from connect_recording where partner in (${idList(contacts)})
    union select id from connect_recording where call in (${manyIds(calls)}) order by id desc`)
  return rows.map(({ id }) => id)
}

/** Removes recordings with what was said; their audio goes after them. */
export async function removeRecordings(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`delete from connect_recording where id in (${idList(ids)})`)
}
