import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'

/** Whether this version of the reader has read all stored numbers. */
export async function areNumbersRead(db: Queryable, reader: number): Promise<boolean> {
  const [row] = await db.query(sql`select 1 from connect_settings where number_reader = ${reader}::int`)
  return row !== undefined
}

/** The version that has read all stored numbers; null while they are read anew. */
export async function saveNumberReader(db: Queryable, reader: number | null): Promise<void> {
  await db.query(sql`update connect_settings set number_reader = ${reader}::int`)
}
