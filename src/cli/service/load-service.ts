import { enableCompileCache } from 'node:module'
import path from 'node:path'
import type { Config } from '../../config.ts'

/** Where `bin/connect` lets commands keep theirs. */
const COMPILED = path.join(import.meta.dirname, '../../../node_modules/.cache/node')

/**
 * Loads the service, which is large. Node keeps what it has compiled, which spares an eighth of a second of each start and takes 15 MB
 * for as long as the process lives: beside the embedded engine, which starts in the same process, that is worth it
 * (docs/decisions/0033-memory-under-load.md).
 */
export async function loadService({
  databaseUrl,
}: Pick<Config, 'databaseUrl'>): Promise<typeof import('./run-service.ts')> {
  // Where nothing may be written it only says so in what it returns.
  if (databaseUrl === undefined) enableCompileCache(COMPILED)
  return import('./run-service.ts')
}
