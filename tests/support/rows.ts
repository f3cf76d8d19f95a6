import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'

/** Puts a row in past the API, where fields are set by the service only; answers its id. */
export async function insertRow(db: Database, table: string, values: Record<string, unknown>): Promise<number> {
  const names = Object.keys(values).map((name) => sql.identifier(name))
  const given = Object.values(values).map((value) => sql`${value}`)
  const rows = await db.query<{ id: number }>(
    sql`insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)}) values (${sql.join(given, sql`, `)}) returning id`,
  )
  return rows[0]?.id ?? 0
}
