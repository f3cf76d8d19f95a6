import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'

/** The logins of phone users. */
export async function listLogins(env: Env, ids: readonly number[]): Promise<number[]> {
  const rows = await env.db.query<{ login: number }>(
    sql`select "user" as login from connect_user where id in (${idList(ids)}) order by id`,
  )
  return rows.map(({ login }) => login)
}
