import { findPostgresBinaries, type PostgresServer, startPostgres } from '../tests/support/postgres-server.ts'
import { StormSkipped, type Weather } from './storm.ts'

/** The database that a storm blows over: nothing for the embedded one, or a PostgreSQL server of the storm's own. */
export async function stormDatabase({
  database,
  afterwards,
}: Weather): Promise<{ databaseUrl: string | undefined; server: PostgresServer | undefined }> {
  if (database === 'embedded') return { databaseUrl: undefined, server: undefined }
  if (findPostgresBinaries() === undefined) throw new StormSkipped('PostgreSQL is not installed')
  const server = await startPostgres()
  afterwards(() => server.stop())
  return { databaseUrl: server.url, server }
}
