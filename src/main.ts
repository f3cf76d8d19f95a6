import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { ConfigError, readConfig } from './config.ts'
import { DamagedFolderError } from './database/embedded/damage.ts'
import { FolderInUseError } from './database/embedded/folder-lock.ts'
import { asError } from './errors.ts'

/** Where `bin/connect` has Node store its compiled code too. */
const COMPILED_CODE = path.join(import.meta.dirname, '../node_modules/.cache/node')

async function main(): Promise<void> {
  const config = readConfig()
  // Where Node may not write there, it compiles at each start and says nothing.
  enableCompileCache(COMPILED_CODE)
  // Report a bad variable before loading the (large) service.
  const { runService } = await import('./cli/service/run-service.ts')
  await runService(config)
}

main().catch((thrown: unknown) => {
  const error = asError(thrown)
  const isExpected = [ConfigError, FolderInUseError, DamagedFolderError].some((kind) => error instanceof kind)
  process.stderr.write(`${isExpected ? error.message : (error.stack ?? error.message)}\n`)
  process.exit(1)
})
