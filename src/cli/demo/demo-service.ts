import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import { type Config, readConfig } from '../../config.ts'
import { sql } from '../../database/drizzle.ts'
import { openDatabase } from '../../database/open.ts'
import { createLog } from '../../log.ts'
import { type Service, startService } from '../service/run-service.ts'

interface DemoServiceOptions {
  folder: string
  isKept: boolean
  /** On the database that DATABASE_URL names, in place of the embedded one. */
  onServer: boolean
  /** The person's own configuration, of which the wanted port and the server count. */
  personal: Config
  /** Where the emulators listen, as variables. */
  emulators: Readonly<Record<string, string>>
}

const DEMO_LOG_FILE = 'service.log'
/** The emulators know how to reach it; nobody else has to. */
const PUBLIC_ADDRESS = 'https://connect.example.com'
const LOOPBACK = '127.0.0.1'
/** Says that everything in a folder was made by a demo, so that the next one may throw it away. */
const MARK = 'connect-demo'
const MARK_TEXT = 'Made by `connect demo`. The next demo empties this folder.\n'

/** Starts the service for this machine alone. */
export async function startDemoService(options: DemoServiceOptions): Promise<Service> {
  const { port, databaseUrl, databasePool } = options.personal
  const config: Config = {
    ...readConfig({
      ...{ DATA_DIR: options.folder, HOST: LOOPBACK, API_URL: PUBLIC_ADDRESS },
      // The emulators send what a proxy in front of the service would.
      TRUST_PROXY: LOOPBACK,
      ...options.emulators,
    }),
    port: (await isFree(port)) ? port : 0,
    databasePool,
    databaseUrl: options.onServer ? databaseUrl : undefined,
  }
  if (options.onServer && !options.isKept) await requireEmptyServer(config)
  return startService(config, createLog(config.logLevel, path.join(options.folder, DEMO_LOG_FILE)))
}

/** A demo never writes into a database that somebody works with. */
async function requireEmptyServer(config: Config): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new ServiceRefusal(400, '--postgres needs DATABASE_URL, the address of an empty database.')
  }
  const db = await openDatabase(config)
  try {
    const rows = await db.query(sql`select 1 from pg_tables where schemaname = 'public' limit 1`)
    if (rows.length > 0) {
      throw new ServiceRefusal(409, 'The database of DATABASE_URL is not empty: create another one for the demo.')
    }
  } finally {
    await db.close()
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const probe = createServer()
  probe.once('error', () => resolve(false))
  probe.listen(port, LOOPBACK, () => probe.close(() => resolve(true)))
  return promise
}

/** The folder of the demo, empty unless what the last one left is kept. Never touches what no demo has made. */
export function prepareFolder(folder: string, { isKept }: { isKept: boolean }): void {
  const mark = path.join(folder, MARK)
  const names = existsSync(folder) ? readdirSync(folder) : []
  if (names.length > 0 && !existsSync(mark)) {
    throw new ServiceRefusal(409, `${folder} holds something that no demo has made: choose another --folder.`)
  }
  if (!isKept) for (const name of names) rmSync(path.join(folder, name), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(mark, MARK_TEXT)
}
