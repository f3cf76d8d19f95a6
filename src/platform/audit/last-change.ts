import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'

/** Who changed a field of a record last, and when; undefined when nobody of us did. */
export async function findLastChange(
  db: Queryable,
  { model, id, field }: { model: string; id: number; field: string },
): Promise<{ user: number | null; at: string } | undefined> {
  const [last] = await db.query<{ user: number | null; at: string }>(
    sql`select "user", at from connect_audit where model = ${model} and res_id = ${id}::bigint and changes ? ${field}
        order by id desc limit 1`,
  )
  return last
}
