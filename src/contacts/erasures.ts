import type { Database, Queryable, Transaction } from '../database/database.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { idList } from '../database/ids.ts'
import type { Counts } from '../platform/person/person.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'

export interface OpenErasure {
  contact: number
  /** Who asked for it. */
  by: number | null
  /** What is looked for, as the erasure wrote it. */
  pattern: string
  marks: ErasureMarks
}

/** The conversations of the person, by which what waits on disk is found, and how far the erasure has come. */
export interface ErasureMarks {
  texts: string[]
  /** How many of the person's own rows are gone; nothing once all are. */
  gone?: number
  at?: { model: string; last: number }
}

const OPEN = sql`contact, by, coalesce(pattern, '{}') as pattern, coalesce(marks, '{"texts": []}') as marks`

/** The erasure of a contact that is under way, or has failed. */
export async function findErasureOf(
  db: Queryable,
  contact: number,
): Promise<(OpenErasure & { id: number }) | undefined> {
  const [open] = await db.query<OpenErasure & { id: number }>(
    sql`select id, ${OPEN} from connect_erasure where contact = ${contact}::bigint and state <> 'done' order by id desc limit 1`,
  )
  return open
}

/** Whether one of the contacts is being erased. */
export async function isOneErased(db: Queryable, contacts: readonly number[]): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from connect_erasure where contact in (${idList(contacts)}) and state <> 'done' limit 1`,
  )
  return rows.length > 0
}

/** An erasure that is under way; nobody else goes on with it until the transaction ends. */
export async function lockErasure(tx: Transaction, id: number): Promise<OpenErasure | undefined> {
  const [open] = await tx.query<OpenErasure>(
    sql`select ${OPEN} from connect_erasure where id = ${id}::bigint and state <> 'done' for update`,
  )
  return open
}

/** An erasure that failed is under way again. */
export async function resumeErasure(tx: Transaction, id: number): Promise<void> {
  await tx.query(
    sql`update connect_erasure set state = 'running', error = null where id = ${id}::bigint and state = 'failed'`,
  )
}

/** What an erasure that is under way still looks for; undefined when it has ended. */
export async function findOpenErasure(db: Database, id: number): Promise<OpenErasure | undefined> {
  const [open] = await db.query<OpenErasure>(
    sql`select ${OPEN} from connect_erasure where id = ${id}::bigint and state <> 'done'`,
  )
  return open
}

/** Saves how far it has come, and what it has changed, unless it has ended meanwhile: it goes on from there after a restart. */
export async function saveErasureProgress(
  tx: Transaction,
  id: number,
  { marks, found, pattern }: { marks: ErasureMarks; found: Counts; pattern?: string },
): Promise<void> {
  const counts = await addCounts(tx, id, found)
  if (counts === undefined) return
  await tx.query(
    sql`update connect_erasure set counts = ${counts}::jsonb, marks = ${JSON.stringify(marks)}::jsonb,
          pattern = coalesce(${pattern ?? null}, pattern) where id = ${id}::bigint and state <> 'done'`,
  )
}

/** The counts of the receipt with these, as JSON, unless it has ended; the receipt is locked until the transaction ends. */
async function addCounts(tx: Queryable, id: number, found: Counts): Promise<string | undefined> {
  const [row] = await tx.query<{ counts: Counts | null }>(
    sql`select counts from connect_erasure where id = ${id}::bigint and state <> 'done' for update`,
  )
  if (row === undefined) return undefined
  const sums: Counts = { ...row.counts }
  for (const [model, count] of Object.entries(found)) sums[model] = (sums[model] ?? 0) + count
  return JSON.stringify(sums)
}

/** What was looked for is removed from the receipt, which from now on says nothing of the person. It ends once. */
export async function endErasure(db: Database, id: number, counts: Counts): Promise<void> {
  await db.transaction(async (tx) => {
    const sums = await addCounts(tx, id, counts)
    if (sums === undefined) return
    await tx.query(sql`update connect_erasure set pattern = null, marks = null, error = null, state = 'done',
      counts = ${sums}::jsonb, ended_at = now() at time zone 'utc', write_date = now() at time zone 'utc'
      where id = ${id}::bigint and state <> 'done'`)
    await notifyChanged({ db: tx }, 'connect.erasure', [id])
  })
}

/** Says which tables may still hold bytes of removed rows. */
export async function saveRemains(db: Database, id: number, remains: readonly string[]): Promise<void> {
  await db.query(sql`update connect_erasure set remains = ${JSON.stringify(remains)}::jsonb where id = ${id}::bigint`)
}

/** The tables that receipts say may still hold bytes of removed rows. */
export async function findRemains(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`select distinct jsonb_array_elements_text(remains) as name
    from connect_erasure where state = 'done' and jsonb_typeof(remains) = 'array' order by name`)
  return rows.map(({ name }) => name)
}

/** Of the tables that receipts name, only these may hold such bytes now. */
export async function saveAllRemains(db: Database, remains: readonly string[]): Promise<void> {
  await db.query(sql`update connect_erasure set remains = (
      select coalesce(jsonb_agg(name), '[]') from jsonb_array_elements(remains) as names (name)
      where name <@ ${JSON.stringify(remains)}::jsonb)
    where state = 'done' and jsonb_typeof(remains) = 'array' and remains <> '[]'`)
}

/** Erasures that are under way and that no job works on, such as after many restarts. */
export async function findIdleErasures(db: Queryable, job: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select e.id from connect_erasure e where ${isIdleSql(job)} order by e.id`,
  )
  return rows.map(({ id }) => id)
}

/** Whether an erasure is under way and no job works on it. */
export async function isIdleErasure(db: Queryable, { id, job }: { id: number; job: string }): Promise<boolean> {
  const rows = await db.query(sql`select 1 from connect_erasure e where e.id = ${id}::bigint and ${isIdleSql(job)}`)
  return rows.length > 0
}

function isIdleSql(job: string): SQL {
  return sql`e.state = 'running' and not exists (
      select 1 from jobs.job j where j.name = ${job} and j.state in ('created', 'retry', 'active')
        and j.data ->> 'erasureId' = e.id::text)`
}

/** Nothing comes after the last attempt: an administrator is to see that. */
export async function failErasure(db: Database, id: number, error: string): Promise<void> {
  await db.query(
    sql`update connect_erasure set state = 'failed', error = ${error} where id = ${id}::bigint and state <> 'done'`,
  )
}
