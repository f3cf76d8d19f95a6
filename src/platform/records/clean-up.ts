import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { Platform } from '../access/env.ts'
import type { Model } from '../model/model.ts'

/** Rows one clean-up removes at a time, so that no statement holds the database for long. */
const ROWS_AT_ONCE = 2_000
/** Seconds one clean-up may take; the next one goes on where it stopped. */
export const CLEAN_UP_SECONDS_MAX = 50 * 60
const MS_PER_SECOND = 1_000

/**
 * Removes what has been stored for as long as its model says. Goes on until nothing of it is left, so that it keeps up with
 * whatever has arrived in the meantime.
 */
export async function cleanUp(
  db: Queryable,
  { models, settings }: Pick<Platform, 'models' | 'settings'>,
): Promise<void> {
  const inForce = await settings.get()
  const endsAt = performance.now() + CLEAN_UP_SECONDS_MAX * MS_PER_SECOND
  for (const { table, retention } of models) {
    if (retention !== undefined) await removeOld(db, { table, ...retention, age: retention.age(inForce) }, endsAt)
  }
}

interface OldRows extends Omit<NonNullable<Model['retention']>, 'age'> {
  table: string
  age: string
}

async function removeOld(db: Queryable, { table, since, age, where = 'true' }: OldRows, endsAt: number): Promise<void> {
  const [name, began] = [sql.identifier(table), sql.identifier(since)]
  const chosen = sql`select id from ${name} where ${sql.raw(where)}
      and ${began} < (now() at time zone 'utc') - ${age}::interval
    order by ${began} limit ${ROWS_AT_ONCE}::int`
  for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE && performance.now() < endsAt; ) {
    removed = (await db.query(sql`delete from ${name} where id in (${chosen}) returning 1`)).length
  }
}
