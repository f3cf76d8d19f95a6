import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import { writtenBy } from '../../platform/model/written-by.ts'

/** The legs of calls. */
export async function findLegsOf(db: Queryable, calls: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select id from connect_channel where call in (${manyIds(calls)}) order by id desc`,
  )
  return rows.map(({ id }) => id)
}

/** The legs of calls that say who was on the other side, such as by a late report. */
export async function findRefilledLegs(db: Queryable, calls: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`select id from connect_channel where call in (${manyIds(calls)})
      and (partner is not null or coalesce(caller, called, "to", caller_number, called_number, caller_name, forwarded_from) is not null)
    order by id desc`)
  return rows.map(({ id }) => id)
}

/** Takes from legs who was on the other side. */
export async function makeLegsAnonymous(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`update connect_channel set partner = null, caller = null,
      called = null, "to" = null, caller_number = null, called_number = null, caller_name = null,
      forwarded_from = null, ${writtenBy(null)}
    where id in (${idList(ids)})`)
}
