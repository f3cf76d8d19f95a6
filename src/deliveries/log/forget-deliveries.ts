import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import type { Traces } from '../../platform/person/person.ts'

const EMPTY = sql`host = null, target = null, headers = null, body = null, reply = null, reason = null`

/** The log of deliveries about calls. */
export async function findDeliveriesOf(
  db: Queryable,
  { calls, conversations, sids }: Pick<Traces, 'calls' | 'conversations' | 'sids'>,
): Promise<number[]> {
  const among = (values: readonly string[]): SQL =>
    sql`(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
  const rows = await db.query<{ id: number }>(sql`select id from connect_delivery where call_ref in (${manyIds(calls)})
    union select id from connect_delivery where conversation in ${among(conversations)}
    union select id from connect_delivery where call_sid in ${among(sids)} order by id desc`)
  return rows.map(({ id }) => id)
}

/** Empties them: what came when, and what became of it, stays. */
export async function emptyDeliveries(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`update connect_delivery set ${EMPTY} where id in (${idList(ids)})`)
}
