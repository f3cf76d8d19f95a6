import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { createApp } from '../../src/app/create-app.ts'
import { seed } from '../../src/app/seed.ts'
import { readConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { openServer } from '../../src/database/server/server.ts'
import { createLog } from '../../src/log.ts'
import { cipherOf } from '../../src/platform/secrets/secrets.ts'
import { openEmbeddedCopy } from './embedded-copy.ts'

/** The key under which every test database keeps its secrets. */
export const TEST_CIPHER = cipherOf('the secret key of the tests')

/**
 * What tests make on a server has ids past 32 bits, so that a place which takes an id for a small number shows in every
 * test that leads there; on the embedded database ids are small.
 */
const LARGE_IDS = `do $$
  declare each record;
  begin
    for each in select schemaname, sequencename from pg_sequences where schemaname = 'public' loop
      perform setval(format('%I.%I', each.schemaname, each.sequencename), 3000000000);
    end loop;
  end $$`
const POOL = 10
const TEMPLATE_DATABASE = 'connect_test_template'

/** The database kind of this run: `embedded`, or the address of a server on which databases may be created. */
export const SERVER_URL = process.env.TEST_DATABASE === 'embedded' ? undefined : process.env.TEST_DATABASE

/** Makes the migrated and seeded database that every test file starts from. */
export async function prepareTemplate(folder: string): Promise<void> {
  if (SERVER_URL !== undefined) {
    await onServer(`drop database if exists ${TEMPLATE_DATABASE} with (force)`, `create database ${TEMPLATE_DATABASE}`)
  }
  const db = SERVER_URL === undefined ? await openEmbedded(folder) : await openServer(urlOf(TEMPLATE_DATABASE), POOL)
  await db.migrate()
  await seed(db, TEST_CIPHER, { apiUrl: 'https://pbx.example.com' })
  if (SERVER_URL !== undefined) await db.script(LARGE_IDS)
  const config = readConfig({ DATA_DIR: folder })
  const { jobs } = createApp({ config, db, cipher: TEST_CIPHER, log: createLog('silent') })
  await jobs.start({ works: false })
  await jobs.stop()
  await db.close()
}

export interface TestDatabase {
  db: Database
  /** Its address on the server; undefined for an embedded one. */
  url: string | undefined
  /** Closes it and takes it away. */
  release(): Promise<void>
}

/** A database of one's own, as `prepareTemplate` made it. */
export async function openTestDatabase(): Promise<TestDatabase> {
  if (SERVER_URL !== undefined) {
    const url = await createServerDatabase()
    const db = await openServer(url, POOL)
    return { db, url, release: () => db.close().then(() => dropServerDatabase(url)) }
  }
  const folder = path.join(path.dirname(inject('template')), `data-${randomBytes(6).toString('hex')}`)
  const db = await openEmbeddedCopy(folder)
  const release = async (): Promise<void> => {
    await db.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  return { db, url: undefined, release }
}

/** Another process's way into a database that is open on the server; it takes nothing away. */
export async function openShared(url: string): Promise<TestDatabase> {
  const db = await openServer(url, POOL)
  return { db, url: undefined, release: () => db.close() }
}

/** A new database on the server, copied from the prepared one; `template0` is PostgreSQL's own, an empty one. */
export async function createServerDatabase(template: 'template0' | undefined = undefined): Promise<string> {
  const name = `connect_test_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} template ${template ?? TEMPLATE_DATABASE}`)
  return urlOf(name)
}

export async function dropServerDatabase(url: string): Promise<void> {
  await onServer(`drop database if exists ${path.basename(new URL(url).pathname)} with (force)`)
}

function urlOf(database: string): string {
  const url = new URL(SERVER_URL ?? '')
  url.pathname = `/${database}`
  return url.href
}

async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER_URL })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
