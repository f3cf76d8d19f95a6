import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'

/** The voicemails of calls. */
export async function findVoicemailsOf(db: Queryable, calls: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select id from connect_voicemail where call in (${manyIds(calls)}) order by id desc`,
  )
  return rows.map(({ id }) => id)
}

/** Removes voicemails; their audio goes after them. */
export async function removeVoicemails(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`delete from connect_voicemail where id in (${idList(ids)})`)
}
