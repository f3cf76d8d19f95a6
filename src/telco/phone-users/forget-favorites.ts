import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Person } from '../../platform/person/person.ts'

/** Removes a person from everybody's favourites; gives their ids. */
export async function removeFavoritesOf(db: Queryable, { contacts, numbers }: Person): Promise<number[]> {
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`
  const rows = await db.query<{ id: number }>(
    sql`delete from connect_favorite where partner in (${idList(contacts)}) or phone_number in ${theirs} returning id`,
  )
  return rows.map(({ id }) => id)
}
