import type { Database, Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import type { Counts } from '../platform/person/person.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'

interface OpenErasure {
  /** What is looked for, as the erasure wrote it. */
  pattern: string
  marks: ErasureMarks
}

/** The conversations of the person, by which what waits on disk is found, and how far the search has come. */
export interface ErasureMarks {
  texts: string[]
  at?: { model: string; last: number }
}

/** What an erasure that is under way still looks for; undefined when it has ended. */
export async function findOpenErasure(db: Database, id: number): Promise<OpenErasure | undefined> {
  const [open] = await db.query<OpenErasure>(
    sql`select coalesce(pattern, '') as pattern, coalesce(marks, '{"texts": []}') as marks from connect_erasure
        where id = ${id}::bigint and state <> 'done'`,
  )
  return open
}

/** Saves how far the search has come, and what it has changed: it goes on from there after a restart. */
export async function saveErasureProgress(
  db: Database,
  id: number,
  { marks, found }: { marks: ErasureMarks; found: Counts },
): Promise<void> {
  await db.transaction(async (tx) => {
    const counts = await addCounts(tx, id, found)
    await tx.query(
      sql`update connect_erasure set counts = ${counts}::jsonb, marks = ${JSON.stringify(marks)}::jsonb where id = ${id}::bigint`,
    )
  })
}

/** The counts of the receipt with these, as JSON; the receipt is locked until the transaction ends. */
async function addCounts(tx: Queryable, id: number, found: Counts): Promise<string> {
  const [row] = await tx.query<{ counts: Counts | null }>(
    sql`select counts from connect_erasure where id = ${id}::bigint for update`,
  )
  const sums: Counts = { ...row?.counts }
  for (const [model, count] of Object.entries(found)) sums[model] = (sums[model] ?? 0) + count
  return JSON.stringify(sums)
}

/** What was looked for is removed from the receipt, which from now on says nothing of the person. */
export async function endErasure(db: Database, id: number, counts: Counts): Promise<void> {
  await db.transaction(async (tx) => {
    const sums = await addCounts(tx, id, counts)
    await tx.query(sql`update connect_erasure set pattern = null, marks = null, error = null, state = 'done',
      counts = ${sums}::jsonb, ended_at = now() at time zone 'utc', write_date = now() at time zone 'utc'
      where id = ${id}::bigint`)
    await notifyChanged({ db: tx }, 'connect.erasure', [id])
  })
}

/** Says which tables may still hold bytes of removed rows. */
export async function saveRemains(db: Database, id: number, remains: readonly string[]): Promise<void> {
  await db.query(sql`update connect_erasure set remains = ${JSON.stringify(remains)}::jsonb where id = ${id}::bigint`)
}

/** Nothing comes after the last attempt: an administrator is to see that. */
export async function failErasure(db: Database, id: number, error: string): Promise<void> {
  await db.query(
    sql`update connect_erasure set state = 'failed', error = ${error} where id = ${id}::bigint and state <> 'done'`,
  )
}
