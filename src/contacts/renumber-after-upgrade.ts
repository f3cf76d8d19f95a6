import type { Database, Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { NUMBER_READER } from '../phone.ts'
import type { Platform } from '../platform/access/env.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'
import { type NumberedTable, RENUMBERING_JOB } from './renumbering.ts'

/** Has every stored number read anew, once, where they were read by another version of the reader than this one. */
export async function renumberAfterUpgrade(
  { db, platform }: { db: Database; platform: Pick<Platform, 'enqueue'> },
  tables: readonly NumberedTable[],
): Promise<void> {
  if (await isReadByThis(db)) return
  await db.transaction(async (tx) => {
    // Of processes that start together one asks for the run.
    await tx.query(sql`select id from connect_settings order by id limit 1 for update`)
    if ((await isReadByThis(tx)) || !(await hasNumbers(tx, tables))) return
    const [run] = await tx.query<{ id: number }>(
      sql`insert into connect_renumbering (country_id, state, total, done, changed, problems, reader, create_date, write_date)
          select country_id, 'queued', 0, 0, 0, '[]', ${NUMBER_READER}::int, now() at time zone 'utc', now() at time zone 'utc'
          from connect_settings order by id limit 1 returning id`,
    )
    if (run === undefined) return
    await platform.enqueue(tx, { name: RENUMBERING_JOB, payload: { runId: run.id } })
    await notifyChanged({ db: tx }, 'connect.renumbering', [run.id])
  })
}

async function isReadByThis(db: Queryable): Promise<boolean> {
  const runs = await db.query(
    sql`select 1 from connect_renumbering where reader = ${NUMBER_READER}::int and state <> 'failed' limit 1`,
  )
  return runs.length > 0
}

async function hasNumbers(db: Queryable, tables: readonly NumberedTable[]): Promise<boolean> {
  for (const table of tables) if ((await table.count(db)) > 0) return true
  return false
}
