import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import { notifyGone } from '../records/notify-changed.ts'

/** Everybody's notices of records. */
export async function findNoticesOf(
  db: Queryable,
  about: Readonly<Record<string, readonly number[]>>,
): Promise<number[]> {
  const theirs = Object.entries(about).map(
    ([model, ids]) => sql`select id from connect_notice where res_model = ${model} and res_id in (${manyIds(ids)})`,
  )
  const rows = await db.query<{ id: number }>(sql`${sql.join(theirs, sql` union `)} order by id desc`)
  return rows.map(({ id }) => id)
}

export async function removeNotices(db: Transaction, ids: readonly number[]): Promise<void> {
  await db.query(sql`delete from connect_notice where id in (${idList(ids)})`)
  await notifyGone({ db }, 'connect.notice', ids)
}
