import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import type { Counts } from '../platform/person/person.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'

interface OpenErasure {
  pattern: string
  marks: string[]
}

/** What an erasure that is under way still looks for; undefined when it has ended. */
export async function findOpenErasure(db: Database, id: number): Promise<OpenErasure | undefined> {
  const [open] = await db.query<OpenErasure>(
    sql`select coalesce(pattern, '') as pattern, coalesce(marks, '[]') as marks from connect_erasure
        where id = ${id}::bigint and state <> 'done'`,
  )
  return open
}

/** What was looked for is removed from the receipt, which from now on says nothing of the person. */
export async function endErasure(db: Database, id: number, counts: Counts): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.query<{ counts: Counts | null }>(
      sql`select counts from connect_erasure where id = ${id}::bigint for update`,
    )
    const sums: Counts = { ...row?.counts }
    for (const [model, count] of Object.entries(counts)) sums[model] = (sums[model] ?? 0) + count
    await tx.query(sql`update connect_erasure set pattern = null, marks = null, error = null, state = 'done',
      counts = ${JSON.stringify(sums)}::jsonb, ended_at = now() at time zone 'utc', write_date = now() at time zone 'utc'
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
