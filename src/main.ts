import { keepCompiledCode } from './cli/service/compiled-code.ts'
import { ConfigError, readConfig } from './config.ts'
import { DamagedFolderError } from './database/embedded/damage.ts'
import { FolderInUseError } from './database/embedded/folder-lock.ts'
import { asError } from './errors.ts'

async function main(): Promise<void> {
  const config = readConfig()
  keepCompiledCode(config)
  // Whoever has mistyped a variable is told before the service, which is large, is loaded.
  const { runService } = await import('./cli/service/run-service.ts')
  await runService(config)
}

main().catch((thrown: unknown) => {
  const error = asError(thrown)
  const isExpected = [ConfigError, FolderInUseError, DamagedFolderError].some((kind) => error instanceof kind)
  process.stderr.write(`${isExpected ? error.message : (error.stack ?? error.message)}\n`)
  process.exit(1)
})
