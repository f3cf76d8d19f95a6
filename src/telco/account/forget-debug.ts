import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'

export async function removeDebugLines(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`delete from connect_debug where id in (${idList(ids)})`)
}
