import { type SQL, sql } from '../database/drizzle.ts'
import { callModel } from '../ledger/calls/call.ts'

/** What the embedded database is made for; what is larger belongs on a server (docs/operating.md). */
export const EMBEDDED_CALLS_MAX = 100_000
export const EMBEDDED_DELIVERIES_PER_SECOND_MAX = 20
const SECONDS_PER_MINUTE = 60
const CALLS_TABLE = callModel.name.replaceAll('.', '_')

/** Calls as counted when the table was last looked after, and deliveries of the busiest minute of the last hour. */
const USED = sql`select
  (select greatest(reltuples, 0)::float8 from pg_class where oid = to_regclass(${CALLS_TABLE})) as calls,
  (select coalesce(max(a_minute.many), 0)::float8 from (select count(*) as many from connect_delivery
    where received_at > (now() at time zone 'utc') - interval '1 hour'
    group by date_trunc('minute', received_at)) a_minute) as deliveries`

/** How much is used of what the embedded database is made for: 1 is all of it. */
export async function embeddedUsed(db: { query(query: SQL): Promise<Record<string, unknown>[]> }): Promise<number> {
  const [row] = await db.query(USED)
  const perSecond = Number(row?.deliveries ?? 0) / SECONDS_PER_MINUTE
  return Math.max(Number(row?.calls ?? 0) / EMBEDDED_CALLS_MAX, perSecond / EMBEDDED_DELIVERIES_PER_SECOND_MAX)
}
