import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'

/** Every text of every table, a row a line, as a dump has it. */
export async function dumpOf(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'jobs', 'drizzle') order by 1`,
  )
  const parts: string[] = []
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(sql`select t::text as row from ${sql.raw(name)} t`)
    parts.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return parts.join('\n')
}
