import { type SQL, sql } from '../../database/drizzle.ts'
import type { Env } from '../access/env.ts'

/** A notification has room for so many. */
const IDS_MAX = 100

/** Ids that one notification of open pages carries. */
const NOTIFIED_MAX = 100

/** Notifies every open page that records changed, once the transaction has committed. */
export async function notifyChanged({ db }: Pick<Env, 'db'>, model: string, ids: readonly number[]): Promise<void> {
  await db.notify('connect_records', JSON.stringify({ model, ids: ids.slice(0, IDS_MAX) }))
}

/** The same for however many: one notification carries the first of them. */
export async function notifySomeChanged(env: Pick<Env, 'db'>, model: string, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await notifyChanged(env, model, ids.slice(0, NOTIFIED_MAX))
}

/** The same as part of a statement that changes one record by itself. */
export function notifyChangedSql(model: string, id: SQL): SQL {
  const name = sql.raw(`'${model}'`)
  return sql`pg_notify('connect_records', json_build_object('model', ${name}, 'ids', json_build_array(${id}))::text)`
}
