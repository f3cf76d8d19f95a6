import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'

/** Removes the voicemails of calls; their audio goes after them. */
export async function removeVoicemailsOf(db: Queryable, calls: readonly number[]): Promise<number[]> {
  if (calls.length === 0) return []
  const rows = await db.query<{ id: number }>(
    sql`delete from connect_voicemail where call in (${idList(calls)}) returning id`,
  )
  return rows.map(({ id }) => id)
}
