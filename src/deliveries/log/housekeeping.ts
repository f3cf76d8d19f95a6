import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { Platform } from '../../platform/access/env.ts'

/** Rows one clean-up removes at a time, so that no statement holds the database for long. */
const ROWS_AT_ONCE = 2_000
/** Seconds one clean-up may take; the next one goes on where it stopped. */
export const CLEAN_UP_SECONDS_MAX = 50 * 60
const MS_PER_SECOND = 1_000

const UTC_NOW = sql`(now() at time zone 'utc')`

interface OldRows {
  table: string
  /** What a row must be, beside old enough, to be removed. */
  isFinished?: SQL
  /** When it began to age. */
  since: SQL
  age: SQL
}

/**
 * Removes what has been stored long enough: old deliveries, finished inbox rows, answers of tools, steps of old calls. Goes
 * on until nothing of it is left, so that it keeps up with whatever has arrived in the meantime.
 */
export async function cleanUp(db: Queryable, platform: Platform): Promise<void> {
  const { deliveryKeepDays } = await platform.settings.get()
  const kept = sql`make_interval(days => ${deliveryKeepDays}::int)`
  const aDay = sql`interval '1 day'`
  const endsAt = performance.now() + CLEAN_UP_SECONDS_MAX * MS_PER_SECOND
  const isFinished = sql`state in ('done', 'ignored')`
  const all: OldRows[] = [
    { table: 'connect_delivery', since: sql`received_at`, age: kept },
    { table: 'connect_inbox', isFinished, since: sql`received_at`, age: kept },
    { table: 'connect_tool_answer', since: sql`answered_at`, age: sql`interval '1 hour'` },
    { table: 'connect_debug', since: sql`create_date`, age: aDay },
    // Usually gone when the call ends; a request that came after its end may have left some.
    { table: 'connect_telco_user_callflow_call', since: sql`create_date`, age: aDay },
  ]
  for (const each of all) await removeOld(db, each, endsAt)
}

async function removeOld(db: Queryable, { table, isFinished, since, age }: OldRows, endsAt: number): Promise<void> {
  const name = sql.identifier(table)
  const finished = isFinished === undefined ? sql`` : sql`${isFinished} and`
  const chosen = sql`select id from ${name} where ${finished} ${since} < ${UTC_NOW} - ${age}
    order by ${since} limit ${ROWS_AT_ONCE}::int`
  for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE && performance.now() < endsAt; ) {
    const rows = await db.query(sql`delete from ${name} where id in (${chosen}) returning 1`)
    removed = rows.length
  }
}
