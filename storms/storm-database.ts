import type { Database } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open.ts'
import { findPostgresBinaries, type PostgresServer, startPostgres } from '../tests/support/postgres-server.ts'
import type { Starting } from './service.ts'
import { StormSkipped, type Weather } from './storm.ts'

/** The database that a storm blows over: nothing for the embedded one, or a PostgreSQL server of the storm's own. */
export async function stormDatabase(
  weather: Weather,
): Promise<{ databaseUrl: string | undefined; server: PostgresServer | undefined }> {
  if (weather.database === 'embedded') return { databaseUrl: undefined, server: undefined }
  const server = await requireServer(weather)
  return { databaseUrl: server.url, server }
}

/** A PostgreSQL server of the storm's own; skips the storm where there is none. */
export async function requireServer({ afterwards }: Weather): Promise<PostgresServer> {
  if (findPostgresBinaries() === undefined) throw new StormSkipped('PostgreSQL is not installed')
  const server = await startPostgres()
  afterwards(() => server.stop())
  return server
}

/** Writes into the database of a service that is stopped. */
export async function fillDatabase<Result>(
  { dataDir, databaseUrl }: Starting,
  fill: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase({ dataDir, databaseUrl, databasePool: POOL })
  try {
    return await fill(db)
  } finally {
    await db.close()
  }
}

const POOL = 4
