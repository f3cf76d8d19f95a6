import { type SQL, sql } from '../../database/drizzle.ts'

/** For a statement that changes a record by itself: tells every open page, as soon as it is committed. */
export function told(model: string, id: SQL): SQL {
  const name = sql.raw(`'${model}'`)
  return sql`pg_notify('connect_records', json_build_object('model', ${name}, 'ids', json_build_array(${id}))::text)`
}
