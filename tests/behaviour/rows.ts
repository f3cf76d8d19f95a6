// Every row of every table in a fixed order, read while the service is stopped and everything is written.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { Installation, Row } from './service.ts'

type Query = (text: string) => Promise<Row[]>

/** Tables whose rows are what the process itself is about: who holds what, and for how long. */
const TABLES_LEFT_OUT = new Set(['connect_lease'])
/** Logged after the answer, several at once, while the next one may be under way: neither order nor ids are fixed. */
const DELIVERIES = `select row::text from (select to_jsonb(t) - 'id' - 'ms' as row from connect_delivery t) as logged
  order by row->>'received_at', (row - 'create_date' - 'write_date' - 'host' - 'headers')::text collate "C"`
/** The queue's own tables, as far as they say what the service asked of it; what is done the queue removes at its own time. */
const QUEUE = [
  ['jobs.schedule', 'select name, cron, timezone, data from jobs.schedule order by name'],
  [
    'jobs.queue',
    "select name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds, dead_letter from jobs.queue where name not like '\\_\\_%' order by name",
  ],
  [
    'jobs.job',
    "select name, state::text as state, data, retry_count from jobs.job where state <> 'completed' and name not like '\\_\\_%' order by name, data::text, state, retry_count",
  ],
] as const

/** The rows by table, and the stored media as a table of their own. */
export async function readRows({ dataDir, databaseUrl }: Installation): Promise<Record<string, unknown[]>> {
  const database = databaseUrl === undefined ? await openEmbedded(dataDir) : await openServer(databaseUrl)
  try {
    const rows = await readTables(database.query)
    for (const [name, text] of QUEUE) rows[name] = await database.query(text)
    return { ...rows, 'media files': readMedia(path.join(dataDir, 'media')) }
  } finally {
    await database.close()
  }
}

async function readTables(query: Query): Promise<Record<string, unknown[]>> {
  const tables = await query(
    `select c.table_name as name, bool_or(c.column_name = 'id') as has_id from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' group by c.table_name order by c.table_name collate "C"`,
  )
  const rows: Record<string, unknown[]> = {}
  for (const { name, has_id: hasId } of tables) {
    if (TABLES_LEFT_OUT.has(String(name))) continue
    const order = hasId === true ? 't.id' : 'to_jsonb(t)::text collate "C"'
    const text =
      name === 'connect_delivery' ? DELIVERIES : `select to_jsonb(t)::text as row from "${name}" t order by ${order}`
    const found = await query(text)
    rows[String(name)] = found.map(({ row }) => JSON.parse(String(row)) as unknown)
  }
  return rows
}

async function openEmbedded(dataDir: string): Promise<{ query: Query; close(): Promise<void> }> {
  const engine = await PGlite.create({ dataDir: path.join(dataDir, 'database') })
  return { query: async (text) => (await engine.query<Row>(text)).rows, close: () => engine.close() }
}

async function openServer(connectionString: string): Promise<{ query: Query; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return { query: async (text) => (await client.query<Row>(text)).rows, close: () => client.end() }
}

/** What is in each file; its name is as random as the row that has it. */
function readMedia(folder: string): unknown[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const described = files.map(({ parentPath, name }) => {
    const bytes = readFileSync(path.join(parentPath, name))
    return {
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('base64'),
      ending: path.extname(name),
    }
  })
  return described.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}
