import { type SQL, sql } from '../../database/drizzle.ts'
import type { Env } from '../access/env.ts'

/** A notification has room for so many ids; of more it says that any record may have changed. */
const NOTIFIED_IDS_MAX = 100

/** What processes notify each other of when records were created, changed or removed. */
export interface ChangeNotice {
  model: string
  /** Null when there are too many to name: each record may have changed. */
  ids: readonly number[] | null
  /** They are there no more. */
  gone?: true
  /** Calls that the records belong to, where a page that shows such a call shows the records with it; null as above. */
  calls?: readonly number[] | null
}

/** Notifies every open page that records changed, once the transaction has committed. */
export async function notifyChanged({ db }: Pick<Env, 'db'>, model: string, ids: readonly number[]): Promise<void> {
  await db.notify('connect_records', JSON.stringify({ model, ids: fewOf(ids) } satisfies ChangeNotice))
}

/** The same for records that were removed. */
export async function notifyGone({ db }: Pick<Env, 'db'>, model: string, ids: readonly number[]): Promise<void> {
  await db.notify('connect_records', JSON.stringify({ model, ids: fewOf(ids), gone: true } satisfies ChangeNotice))
}

/** The same for however many changed, which may be none. */
export async function notifySomeChanged(env: Pick<Env, 'db'>, model: string, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await notifyChanged(env, model, ids)
}

/** The same as part of a statement that changes one record by itself, of a call where `call` says of which; it may be null. */
export function notifyChangedSql(model: string, id: SQL, call?: SQL): SQL {
  const calls = call === undefined ? sql`` : sql`, 'calls', array_remove(array[${call}], null)`
  return notifySql(sql`'model', ${named(model)}, 'ids', json_build_array(${id})${calls}`)
}

/** The same for a record that the statement removes. */
export function notifyGoneSql(model: string, id: SQL): SQL {
  return notifySql(sql`'model', ${named(model)}, 'ids', json_build_array(${id}), 'gone', true`)
}

/** The same for all rows of `rows`, which has the columns `id` and `call`. */
export function notifyAllChangedSql(model: string, rows: SQL): SQL {
  const ids = fewOrNull(sql`id`)
  const calls = fewOrNull(sql`call`)
  return sql`select ${notifySql(sql`'model', ${named(model)}, 'ids', ${ids}, 'calls', ${calls}`)} from ${rows}`
}

function notifySql(pairs: SQL): SQL {
  return sql`pg_notify('connect_records', json_build_object(${pairs})::text)`
}

function fewOrNull(column: SQL): SQL {
  const few = sql`array_remove(array_agg(distinct ${column}), null)`
  return sql`case when count(distinct ${column}) <= ${sql.raw(String(NOTIFIED_IDS_MAX))} then ${few} end`
}

function named(model: string): SQL {
  return sql.raw(`'${model}'`)
}

function fewOf(ids: readonly number[]): readonly number[] | null {
  return ids.length > NOTIFIED_IDS_MAX ? null : ids
}
