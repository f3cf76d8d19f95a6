import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { notifyAllChangedSql } from '../../platform/records/notify-changed.ts'
import { deliveryModel } from './delivery-model.ts'

/** Notes on a delivery that it was made up for, so that nobody replays it twice; one whose stored part failed again still waits. */
export async function markReplayed(db: Database, id: number, call: number | undefined): Promise<void> {
  const isDone = sql`not exists (select 1 from connect_inbox stored
    where stored.id = delivery.inbox and stored.state not in ('done', 'ignored'))`
  await db.query(sql`with rows as (
      update connect_delivery delivery
      set replayed_at = now() at time zone 'utc', call_ref = coalesce(call_ref, ${call ?? null}::bigint)
      where id = ${id}::bigint and ${isDone}
      returning id, call_ref)
    ${notifyAllChangedSql(deliveryModel.name, sql`(select id, call_ref as call from rows) saved`)}`)
}
