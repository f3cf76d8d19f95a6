import { mkdirSync } from 'node:fs'
import { ensureLocalKey } from './app/local-key.ts'
import { seed } from './app/seed.ts'
import { sayReady } from './app/start-text.ts'
import { createApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { FolderInUseError } from './database/folder-lock.ts'
import { openDatabase } from './database/open.ts'
import { asError } from './errors.ts'
import { createLog } from './log.ts'
import { openCipher } from './platform/secrets.ts'

/** A drain that takes longer than this is cut off, so that a stuck request does not keep the process for ever. */
const STOP_TIMEOUT_MS = 30_000

async function main(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const db = await openDatabase(config)

  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const cipher = openCipher(config)
  await db.migrate()
  await seed(db, cipher, config)
  const keyFile = await ensureLocalKey(db, config.dataDir)
  const app = createApp({ config, db, cipher, log })
  await app.start()
  const address = await app.http.listen({ host: config.host, port: config.port })
  await sayReady({ platform: app.platform, db, address, keyFile })

  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping: requests under way are finished first')
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    await app.stop()
    await db.close()
    process.exit(0)
  }
  process.once('SIGTERM', (signal) => void stop(signal))
  process.once('SIGINT', (signal) => void stop(signal))
}

main().catch((thrown: unknown) => {
  const error = asError(thrown)
  const isExpected = error instanceof ConfigError || error instanceof FolderInUseError
  process.stderr.write(`${isExpected ? error.message : (error.stack ?? error.message)}\n`)
  process.exit(1)
})
