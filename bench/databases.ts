import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { seed } from '../src/app/seed.ts'
import { openSettings } from '../src/app/settings.ts'
import type { Database } from '../src/database/database.ts'
import { sql } from '../src/database/drizzle.ts'
import { openEmbedded } from '../src/database/embedded/embedded.ts'
import { openServer } from '../src/database/server/server.ts'
import { KEY_FILES } from '../src/platform/secrets/key-file.ts'
import { openCipher } from '../src/platform/secrets/secrets.ts'
import { findPostgresBinaries, readServerVersion, startPostgres } from '../tests/support/postgres-server.ts'
import type { KeepPlace } from './keep-loop.ts'
import { type DataSize, loadData, type Secrets } from './load-data.ts'
import type { DatabaseKind, Loaded } from './route.ts'
import { ROUTES } from './routes.ts'
import { PUBLIC_URL } from './telco-request.ts'

/** Connections of the service's pool by default, and so of the loop's. */
const POOL = 10
const SECRETS: Secrets = { postCallSecret: 'wsec_bench', authToken: '0123456789abcdef0123456789abcdef' }

/** Equal databases for the service and the loop, and how to look into the service's when it has stopped. */
export interface BenchDatabases {
  kind: DatabaseKind
  /** What the reader of the report should know about it. */
  remark: string
  loaded: Loaded
  /** Rows of the tables that the routes write, before anything was measured. */
  rowsBefore: Readonly<Record<string, number>>
  /** Of as many processes as are asked for; the embedded database has one. */
  serviceEnvironments(processes: number): Record<string, string>[]
  /** For the loop that only keeps deliveries: nobody counts its rows. */
  keep: KeepPlace
  openService(): Promise<Database>
  remove(): Promise<void>
}

/** The embedded database, on the disk that temporary files are on. */
export async function prepareEmbedded(size: DataSize): Promise<BenchDatabases> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'connect-bench-'))
  const [service, keep] = [path.join(folder, 'service'), path.join(folder, 'keep')]
  const db = await openEmbedded(service)
  const filled = await fill(db, service, size)
  await db.close()
  cpSync(service, keep, { recursive: true })
  return {
    kind: 'embedded',
    remark: `PGlite on the disk of ${os.tmpdir()}`,
    ...filled,
    serviceEnvironments: () => [{ DATA_DIR: service }],
    keep: { kind: 'embedded', folder: path.join(keep, 'database') },
    openService: () => openEmbedded(service),
    remove: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  }
}

/** The server of DATABASE_URL, or a throwaway one; undefined when there is neither. Names its databases after `name`. */
export async function prepareServer(size: DataSize, name = 'connect_bench'): Promise<BenchDatabases | undefined> {
  const [service, keep] = [`${name}_service`, `${name}_keep`]
  const given = process.env.DATABASE_URL
  if (!given && findPostgresBinaries() === undefined) return undefined
  const throwaway = given ? undefined : await startPostgres()
  const server = given ?? throwaway?.url ?? ''
  const folder = mkdtempSync(path.join(os.tmpdir(), 'connect-bench-'))
  const urlOf = (database: string): string => Object.assign(new URL(server), { pathname: `/${database}` }).href
  await onServer(server, ...[service, keep].map(dropping), `create database ${service}`)
  const db = await openServer(urlOf(service), POOL)
  const filled = await fill(db, folder, size)
  await db.close()
  await onServer(server, `create database ${keep} template ${service} strategy file_copy`)
  const version = await readServerVersion(server)
  return {
    kind: 'PostgreSQL',
    remark: `${version}, ${given ? 'the server of DATABASE_URL' : 'a throwaway server in memory that waits for no disk'}`,
    ...filled,
    serviceEnvironments: (processes) =>
      dataFolders(folder, processes).map((own) => ({ DATA_DIR: own, DATABASE_URL: urlOf(service) })),
    keep: { kind: 'server', url: urlOf(keep), pool: POOL },
    openService: () => openServer(urlOf(service), POOL),
    async remove() {
      if (given) await onServer(given, ...[service, keep].map(dropping))
      await throwaway?.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** The folder itself, and one with the same key for each further process. */
function dataFolders(folder: string, processes: number): string[] {
  return Array.from({ length: processes }, (_, nth) => {
    if (nth === 0) return folder
    const own = path.join(folder, `process-${nth + 1}`)
    mkdirSync(own)
    for (const file of KEY_FILES.filter((name) => existsSync(path.join(folder, name)))) {
      copyFileSync(path.join(folder, file), path.join(own, file))
    }
    return own
  })
}

type Filled = Pick<BenchDatabases, 'loaded' | 'rowsBefore'>

async function fill(db: Database, dataDir: string, size: DataSize): Promise<Filled> {
  mkdirSync(dataDir, { recursive: true })
  const cipher = openCipher({ secretKey: undefined, oldSecretKey: undefined, dataDir })
  await db.migrate()
  await seed(db, cipher, { apiUrl: PUBLIC_URL })
  await loadData(db, { size, cipher, secrets: SECRETS })
  const { voiceaiAgentToken: token = '' } = await openSettings(db, cipher).get()
  const tables = ROUTES.flatMap(({ writes }) => Object.keys(writes))
  const rowsBefore: Record<string, number> = {}
  for (const table of tables) rowsBefore[table] = await countRows(db, table)
  const { contacts, calls } = size
  return { loaded: { token, ...SECRETS, contacts, calls }, rowsBefore }
}

export async function countRows(db: Database, table: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from ${sql.identifier(table)}`)
  return row?.count ?? 0
}

function dropping(name: string): string {
  return `drop database if exists ${name} with (force)`
}

async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
