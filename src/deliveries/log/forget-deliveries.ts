import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Traces } from '../../platform/person/person.ts'

const EMPTY = sql`host = null, target = null, headers = null, body = null, reply = null, reason = null`

/** Empties the log of deliveries about calls: what came when, and what became of it, stays. Gives their ids. */
export async function emptyDeliveriesOf(
  db: Queryable,
  { calls, conversations, sids }: Pick<Traces, 'calls' | 'conversations' | 'sids'>,
): Promise<number[]> {
  const among = (values: readonly (string | number)[]): SQL =>
    sql`(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
  const theirs = sql`select id from connect_delivery where call_ref in (select each::bigint from ${among(calls)} as ids (each))
    union select id from connect_delivery where conversation in ${among(conversations)}
    union select id from connect_delivery where call_sid in ${among(sids)}`
  const rows = await db.query<{ id: number }>(
    sql`update connect_delivery set ${EMPTY} where id in (${theirs}) returning id`,
  )
  return rows.map(({ id }) => id)
}

export async function emptyDeliveries(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`update connect_delivery set ${EMPTY} where id in (${idList(ids)})`)
}
