import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'

/** Removes everybody's notices of records; gives how many there were. */
export async function removeNoticesOf(
  db: Queryable,
  about: Readonly<Record<string, readonly number[]>>,
): Promise<number> {
  let removed = 0
  for (const [model, ids] of Object.entries(about)) {
    if (ids.length === 0) continue
    const rows = await db.query(
      sql`delete from connect_notice where res_model = ${model} and res_id in (${idList(ids)}) returning 1`,
    )
    removed += rows.length
  }
  return removed
}
