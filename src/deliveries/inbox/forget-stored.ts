import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'

/** Removes stored deliveries of conversations, whatever became of them; gives their ids. */
export async function removeStoredOf(db: Queryable, conversations: readonly string[]): Promise<number[]> {
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(conversations)}::jsonb))`
  const rows = await db.query<{ id: number }>(
    sql`delete from connect_inbox where conversation in ${theirs} returning id`,
  )
  return rows.map(({ id }) => id)
}

export async function removeStored(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`delete from connect_inbox where id in (${idList(ids)})`)
}
