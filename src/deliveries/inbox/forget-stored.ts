import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'

/** Stored deliveries of conversations, whatever became of them. */
export async function findStoredOf(db: Queryable, conversations: readonly string[]): Promise<number[]> {
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(conversations)}::jsonb))`
  const rows = await db.query<{ id: number }>(
    sql`select id from connect_inbox where conversation in ${theirs} order by id desc`,
  )
  return rows.map(({ id }) => id)
}

/** Those of them that were worked on. */
export async function findEndedOf(db: Queryable, conversations: readonly string[]): Promise<number[]> {
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(conversations)}::jsonb))`
  const rows = await db.query<{ id: number }>(
    sql`select id from connect_inbox where conversation in ${theirs} and state in ('done', 'ignored') order by id`,
  )
  return rows.map(({ id }) => id)
}

export async function removeStored(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`delete from connect_inbox where id in (${idList(ids)})`)
}
