import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import type { Platform } from '../platform/env.ts'

/** Rows one clean-up removes at a time, so that no statement holds the database for long. */
const ROWS_AT_ONCE = 5_000
const REPEATS_MAX = 200

/** Removes what has been kept long enough: old deliveries, finished inbox rows, answers of tools, steps of old calls. */
export async function cleanUp(db: Database, platform: Platform): Promise<void> {
  const { deliveryKeepDays } = await platform.settings.get()
  const before = sql`(now() at time zone 'utc') - make_interval(days => ${deliveryKeepDays}::int)`
  await removeInSteps(db, sql`select id from connect_delivery where received_at < ${before}`, 'connect_delivery')
  await removeInSteps(
    db,
    sql`select id from connect_inbox where state in ('done', 'ignored') and received_at < ${before}`,
    'connect_inbox',
  )
  await removeInSteps(
    db,
    sql`select id from connect_tool_answer where answered_at < (now() at time zone 'utc') - interval '1 hour'`,
    'connect_tool_answer',
  )
  await removeInSteps(
    db,
    sql`select id from connect_debug where create_date < (now() at time zone 'utc') - interval '1 day'`,
    'connect_debug',
  )
  // Usually gone when the call ends; a request that came after its end may have left some.
  await removeInSteps(
    db,
    sql`select id from connect_telco_user_callflow_call where create_date < (now() at time zone 'utc') - interval '1 day'`,
    'connect_telco_user_callflow_call',
  )
}

async function removeInSteps(db: Database, chosen: ReturnType<typeof sql>, table: string): Promise<void> {
  for (let step = 0; step < REPEATS_MAX; step += 1) {
    const removed = await db.query(
      sql`delete from ${sql.identifier(table)} where id in (${chosen} limit ${sql.raw(String(ROWS_AT_ONCE))}) returning id`,
    )
    if (removed.length < ROWS_AT_ONCE) return
  }
}
