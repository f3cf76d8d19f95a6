import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'

/** Makes the record the only default of its table. */
export async function makeOnlyDefault(env: Env, table: string, id: number): Promise<void> {
  // Two people choosing a default at the same moment do not see each other's row; the lock makes the second wait for it.
  await env.db.query(sql`select pg_advisory_xact_lock(hashtext(${`${table}.is_default`}))`)
  await env.db.query(
    sql`update ${sql.identifier(table)} set is_default = false, ${writtenBy(writerOf(env))}
        where is_default and id <> ${id}::bigint`,
  )
}
