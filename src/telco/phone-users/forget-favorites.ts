import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Person } from '../../platform/person/person.ts'

/** A person among everybody's favourites. */
export async function findFavoritesOf(db: Queryable, { contacts, numbers }: Person): Promise<number[]> {
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`
  const rows = await db.query<{ id: number }>(
    sql`select id from connect_favorite where partner in (${idList(contacts)}) or phone_number in ${theirs} order by id desc`,
  )
  return rows.map(({ id }) => id)
}

export async function removeFavorites(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`delete from connect_favorite where id in (${idList(ids)})`)
}
