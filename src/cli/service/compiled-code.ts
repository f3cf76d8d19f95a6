import { enableCompileCache } from 'node:module'
import path from 'node:path'
import type { Config } from '../../config.ts'

/** Where `bin/connect` lets commands keep theirs. */
const COMPILED = path.join(import.meta.dirname, '../../../node_modules/.cache/node')

/**
 * Has Node keep what it compiles from here on, before the service is loaded, which is large: that spares an eighth of a second of each
 * start and takes 15 MB for as long as the process lives. Beside the embedded engine, which starts in the same process, it is worth it
 * (docs/decisions/0033-memory-under-load.md).
 */
export function keepCompiledCode({ databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  // Where nothing may be written it only says so in what it returns.
  if (databaseUrl === undefined) enableCompileCache(COMPILED)
}
