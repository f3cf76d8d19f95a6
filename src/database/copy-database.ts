// Copies everything that one database holds into another one of the same version, and proves it by counts and checksums.
import type { Database, Transaction } from './database.ts'
import { sql } from './drizzle.ts'

/** Schemas of the service: its records, its jobs, and which migrations ran. */
const SCHEMAS = ['public', 'jobs', 'drizzle']
const SCHEMA_LIST = SCHEMAS.map((name) => `'${name}'`).join(', ')
/** Rows in one statement; long texts make it fewer. */
const BATCH_ROWS_MAX = 500
/** The protocol numbers parameters with 16 bits. */
const BATCH_VALUES_MAX = 30_000

/** The same text for the same value on both sides, and no limit of time for work that takes as long as it takes. */
const SESSION = [
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO, YMD'",
  "set local intervalstyle = 'postgres'",
  "set local bytea_output = 'hex'",
  'set local extra_float_digits = 1',
  'set local statement_timeout = 0',
  'set local lock_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
]

/** What was copied. */
export interface Copied {
  tables: number
  rows: number
  sequences: number
}

/** A table that was copied and compared. */
export interface TableCopied {
  name: string
  rows: number
}

/** A database differs from its copy; the sentence names the table. */
class CopyError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'CopyError'
  }
}

interface Table {
  name: string
  /** Quoted, those that the database computes itself left out. */
  columns: string[]
}

/** The first few things of others that a database holds; a new one holds none. */
export async function findContents(db: Database): Promise<string[]> {
  const found = await db.query<{ name: string }>(
    sql`select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        order by name limit 5`,
  )
  return found.map(({ name }) => name)
}

/** Takes away what a copy that failed has made in a database that was empty before. */
export async function emptyAgain(db: Database): Promise<void> {
  await db.script(`drop schema if exists jobs cascade; drop schema if exists drizzle cascade;
    do $$ declare each record; begin
      for each in select format('drop table if exists %I.%I cascade', schemaname, tablename) as command
        from pg_tables where schemaname = 'public' loop execute each.command; end loop;
      for each in select format('drop function if exists %s cascade', p.oid::regprocedure) as command from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        loop execute each.command; end loop;
    end $$`)
}

/**
 * Copies every row and the position of every sequence. Both sides have the same tables: the target is migrated, and what
 * that put in goes. All of it is one transaction of the target, in which constraints are put back, and so checked, at the end;
 * throws a CopyError when a table differs from its copy.
 */
export function copyDatabase(
  source: Database,
  target: Database,
  onTable: (table: TableCopied) => void,
): Promise<Copied> {
  return source.transaction(async (from) => {
    await prepareSession(from, source)
    return target.transaction(async (to) => {
      await prepareSession(to, target)
      const tables = await commonTables(from, to)
      const restore = await liftConstraints(to)
      await run(to, `truncate ${tables.map(({ name }) => name).join(', ')}`)
      let rows = 0
      for (const [at, table] of tables.entries()) {
        await copyRows({ from, to }, table, `moving_${at}`)
        const copied = await compareTable({ from, to }, table)
        onTable({ name: table.name, rows: copied })
        rows += copied
      }
      const sequences = await copySequences(from, to)
      for (const command of restore) await run(to, command)
      return { tables: tables.length, rows, sequences }
    })
  })
}

interface Sides {
  from: Transaction
  to: Transaction
}

async function prepareSession(tx: Transaction, { kind }: Database): Promise<void> {
  for (const command of SESSION) if (kind === 'server' || !command.includes('timeout')) await run(tx, command)
}

async function run<Row = Record<string, string>>(tx: Transaction, text: string): Promise<Row[]> {
  return (await tx.execute(text, [])).rows as Row[]
}

/** Tables with rows of their own. Throws when the two sides do not have the same ones. */
async function commonTables(from: Transaction, to: Transaction): Promise<Table[]> {
  const [here, there] = [await listTables(from), await listTables(to)]
  const describe = ({ name, columns }: Table): string => `${name} (${columns.toSorted().join(', ')})`
  const known = new Set(there.map(describe))
  const missing = here.find((table) => !known.has(describe(table)))
  if (missing !== undefined) throw new CopyError(`The server has no table such as ${describe(missing)}.`)
  return here
}

async function listTables(tx: Transaction): Promise<Table[]> {
  const rows = await run<{ name: string; columns: string }>(
    tx,
    `select format('%I.%I', n.nspname, c.relname) as name, json_agg(quote_ident(a.attname) order by a.attname)::text as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       where n.nspname in (${SCHEMA_LIST}) and c.relkind = 'r' group by 1 order by 1`,
  )
  return rows.map(({ name, columns }) => {
    const names: unknown = typeof columns === 'string' ? JSON.parse(columns) : columns
    return { name, columns: names as string[] }
  })
}

/** Takes links and triggers away, so that tables can come in any order; gives the commands that put them back. */
async function liftConstraints(to: Transaction): Promise<string[]> {
  const links = await run<{ drop: string; add: string }>(
    to,
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
       from pg_constraint where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text in (${SCHEMA_LIST})`,
  )
  const triggers = await run<{ off: string; on: string }>(
    to,
    `select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as off,
        format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as on
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where not tgisinternal and tgenabled = 'O' and tgparentid = 0 and c.relnamespace::regnamespace::text in (${SCHEMA_LIST})`,
  )
  for (const { drop } of links) await run(to, drop)
  for (const { off } of triggers) await run(to, off)
  return [...triggers.map(({ on }) => on), ...links.map(({ add }) => add)]
}

/** Every value as the text that its type writes and reads, so that nothing is lost on the way. */
async function copyRows({ from, to }: Sides, { name, columns }: Table, cursor: string): Promise<void> {
  const texts = columns.map((column, at) => `${column}::text as v${at}`)
  await run(from, `declare ${cursor} no scroll cursor for select ${texts.join(', ')} from ${name}`)
  const perBatch = Math.max(1, Math.min(BATCH_ROWS_MAX, Math.floor(BATCH_VALUES_MAX / columns.length)))
  for (;;) {
    const rows = await run<Record<string, string | null>>(from, `fetch ${perBatch} from ${cursor}`)
    if (rows.length === 0) break
    const values = rows.flatMap((row) => columns.map((_column, at) => row[`v${at}`] ?? null))
    const places = rows.map(
      (_row, row) => `(${columns.map((_c, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
    )
    const into = `insert into ${name} (${columns.join(', ')}) overriding system value values ${places.join(', ')}`
    await to.execute(into, values)
  }
  await run(from, `close ${cursor}`)
}

/** Count and checksum of a table on both sides, whatever the order of its rows; gives the count. */
async function compareTable({ from, to }: Sides, { name, columns }: Table): Promise<number> {
  const texts = columns.map((column) => `${column}::text`).join(', ')
  const question = `select count(*)::text as rows,
      coalesce(sum(('x' || left(md5(row(${texts})::text), 15))::bit(60)::bigint::numeric), 0)::text as checksum from ${name}`
  const [here] = await run(from, question)
  const [there] = await run(to, question)
  if (here?.rows !== there?.rows || here?.checksum !== there?.checksum) {
    throw new CopyError(`The copy of ${name} differs: ${here?.rows} rows here and ${there?.rows} there.`)
  }
  return Number(here?.rows ?? 0)
}

/** The next id on the server is the one that would have come next here. */
async function copySequences(from: Transaction, to: Transaction): Promise<number> {
  const question = `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
    where schemaname in (${SCHEMA_LIST}) order by 1`
  const sequences = await run<{ name: string; last: string | null }>(from, question)
  for (const { name, last } of sequences) {
    if (last === null) await run(to, `alter sequence ${name} restart`)
    else await to.execute('select setval($1::text::regclass, $2::bigint)', [name, last])
  }
  const there = new Map(
    (await run<{ name: string; last: string | null }>(to, question)).map((each) => [each.name, each.last]),
  )
  const wrong = sequences.find(({ name, last }) => there.get(name) !== last)
  if (wrong !== undefined) throw new CopyError(`The sequence ${wrong.name} stands elsewhere than at ${wrong.last}.`)
  return sequences.length
}
