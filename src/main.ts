import { runService } from './cli/run-service.ts'
import { ConfigError, readConfig } from './config.ts'
import { FolderInUseError } from './database/folder-lock.ts'
import { asError } from './errors.ts'

async function main(): Promise<void> {
  await runService(readConfig())
}

main().catch((thrown: unknown) => {
  const error = asError(thrown)
  const isExpected = error instanceof ConfigError || error instanceof FolderInUseError
  process.stderr.write(`${isExpected ? error.message : (error.stack ?? error.message)}\n`)
  process.exit(1)
})
