// Starting an embedded engine takes longer than most test files do, so one that a test has done with is put back to how it
// was and given to the next one. An engine in which more than rows was changed is closed.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { inject } from 'vitest'
import type { Channel, Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { openEmbeddedCopy } from './embedded-copy.ts'

/** Room that this many rows leave behind would slow the next test down. */
const CHANGED_ROWS_MAX = 10_000

interface Engine {
  db: Database
  /** Tables, constraints, triggers and settings of the session; a test may have changed them. */
  shape: string
  handlers: Map<Channel, ((payload: string) => void)[]>
  /** Puts every row and every sequence back. */
  reset: string
}

export interface Lease {
  db: Database
  release(): Promise<void>
}

let idle: Engine | undefined

/** An embedded database as it was prepared, for one test app at a time. */
export async function leaseEmbedded(): Promise<Lease> {
  const taken = idle
  idle = undefined
  const engine = taken ?? (await openEngine())
  const { db, end } = leased(engine)
  const release = (): Promise<void> => {
    end()
    return returnEngine(engine)
  }
  return { db, release }
}

async function openEngine(): Promise<Engine> {
  const folder = path.join(path.dirname(inject('template')), `engine-${randomBytes(6).toString('hex')}`)
  const db = await openEmbeddedCopy(folder)
  const reset = await snapshotRows(db)
  return { db, shape: await shapeOf(db), handlers: new Map(), reset }
}

/** Until the lease ends, after which nobody who was left over can touch what the next one works on. */
function leased(engine: Engine): { db: Database; end: () => void } {
  let hasEnded = false
  const whileLeased =
    <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (hasEnded) throw new Error('the test that used this database has ended')
      return act(...args)
    }
  const { run, query, transaction, script } = engine.db
  const db: Database = {
    ...engine.db,
    run: whileLeased(run) as Database['run'],
    query: whileLeased(query) as Database['query'],
    transaction: whileLeased(transaction) as Database['transaction'],
    script: whileLeased(script),
    // What is heard goes to the present user only.
    async listen(channel, hear) {
      const known = engine.handlers.get(channel)
      if (known !== undefined) return void known.push(hear)
      engine.handlers.set(channel, [hear])
      await engine.db.listen(channel, (payload) => {
        for (const each of engine.handlers.get(channel) ?? []) each(payload)
      })
    },
  }
  const end = (): void => {
    hasEnded = true
  }
  return { db, end }
}

async function returnEngine(engine: Engine): Promise<void> {
  for (const handlers of engine.handlers.values()) handlers.splice(0)
  const isAsItWas = idle === undefined && (await putBack(engine).catch(() => false))
  if (isAsItWas) idle = engine
  else await engine.db.close()
}

async function putBack({ db, shape, reset }: Engine): Promise<boolean> {
  await db.query(sql`select pg_stat_force_next_flush()`)
  const [changed] = await db.query<{ rows: number }>(
    sql`select coalesce(sum(n_live_tup + n_dead_tup), 0)::int as rows from pg_stat_user_tables where schemaname <> 'kept'`,
  )
  if ((changed?.rows ?? 0) > CHANGED_ROWS_MAX || (await shapeOf(db)) !== shape) return false
  await db.script(reset)
  return true
}

const OURS = sql`'public'::regnamespace, 'jobs'::regnamespace`

async function shapeOf(db: Database): Promise<string> {
  const [row] = await db.query<{ shape: string }>(sql`
    select md5(string_agg(part, ',' order by part)) as shape from (
      select concat_ws(' ', 'class', c.oid, c.relname, c.relkind, c.relnatts) from pg_class c where c.relnamespace in (${OURS})
      union all select concat_ws(' ', 'column', a.attrelid, a.attname, a.atttypid, a.attnotnull, a.attisdropped)
        from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relnamespace in (${OURS})
      union all select concat_ws(' ', 'constraint', oid, conname) from pg_constraint
      union all select concat_ws(' ', 'trigger', oid, tgname, tgenabled) from pg_trigger
      union all select concat_ws(' ', 'default', adrelid, adnum, pg_get_expr(adbin, adrelid)) from pg_attrdef
      union all select concat_ws(' ', 'function', oid, proname, md5(prosrc)) from pg_proc where pronamespace in (${OURS})
      union all select concat_ws(' ', 'setting', name, setting) from pg_settings where source = 'session'
    ) all_parts(part)`)
  return row?.shape ?? ''
}

/** Copies all rows aside, and gives the script that brings them back. */
async function snapshotRows(db: Database): Promise<string> {
  const tables = await db.query<{ name: string; columns: string }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name,
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'jobs') and c.relkind = 'r'`)
  const filled = await db.query<{ name: string }>(
    sql.raw(
      tables.map(({ name }) => `select '${name}' as name where exists (select from ${name})`).join(' union all '),
    ),
  )
  const kept = tables
    .filter(({ name }) => filled.some((each) => each.name === name))
    .map((table, at) => ({ ...table, copy: `kept.rows_${at}` }))
  await db.script(
    [
      'create schema kept',
      ...kept.map(({ name, columns, copy }) => `create table ${copy} as select ${columns} from ${name}`),
      `create table kept.sequences as select format('%I.%I', schemaname, sequencename)::regclass as name,
        start_value, last_value from pg_sequences`,
    ].join(';'),
  )
  return [
    'begin',
    'set local session_replication_role = replica',
    ...tables.map(({ name }) => `delete from ${name}`),
    ...kept.map(
      ({ name, columns, copy }) =>
        `insert into ${name} (${columns}) overriding system value select ${columns} from ${copy}`,
    ),
    'select setval(name, coalesce(last_value, start_value), last_value is not null) from kept.sequences',
    'commit',
    'select pg_advisory_unlock_all()',
  ].join(';')
}
