import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import type { Database } from './database.ts'
import { openEmbedded } from './embedded/embedded.ts'

/** Opens what the configuration names: a PostgreSQL server, or the embedded database in the data folder. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDir'>,
  log?: Logger,
): Promise<Database> {
  if (config.databaseUrl === undefined) return openEmbedded(config.dataDir, undefined, log)
  const { openServer } = await import('./server/server.ts')
  return openServer(config.databaseUrl, config.databasePool)
}
