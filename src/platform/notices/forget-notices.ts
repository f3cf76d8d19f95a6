import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { notifyGone } from '../records/notify-changed.ts'

/** Removes everybody's notices of records; gives their ids. */
export async function removeNoticesOf(
  db: Transaction,
  about: Readonly<Record<string, readonly number[]>>,
): Promise<number[]> {
  const removed: number[] = []
  for (const [model, ids] of Object.entries(about)) {
    if (ids.length === 0) continue
    const rows = await db.query<{ id: number }>(
      sql`delete from connect_notice where res_model = ${model} and res_id in (${idList(ids)}) returning id`,
    )
    removed.push(...rows.map(({ id }) => id))
  }
  if (removed.length > 0) await notifyGone({ db }, 'connect.notice', removed)
  return removed
}
