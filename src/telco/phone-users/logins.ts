import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { idList } from '../../platform/records/records.ts'

/** The logins of phone users. */
export async function listLogins(env: Env, ids: readonly number[]): Promise<number[]> {
  const rows = await env.db.query<{ login: number }>(
    sql`select "user" as login from connect_user where id in (${idList(ids)}) order by id`,
  )
  return rows.map(({ login }) => login)
}
