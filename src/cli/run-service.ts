import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ADDRESS_FILE } from '../app/data-files.ts'
import { sayReady } from '../app/start-text.ts'
import { type Config, ConfigError } from '../config.ts'
import { asError } from '../errors.ts'
import { createLog } from '../log.ts'
import { type Installation, openInstallation } from './installation.ts'

/** A drain that takes longer than this is cut off, so that a stuck request does not keep the process for ever. */
const STOP_TIMEOUT_MS = 30_000

/** Serves until a signal comes; requests under way are finished, jobs are handed back, the database is closed. */
export async function runService(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const installation = await openInstallation(config, log)
  const { app, db, keyFile } = installation
  await app.start()
  const address = await listen(installation, config)
  const addressFile = path.join(config.dataDir, ADDRESS_FILE)
  writeFileSync(addressFile, `${address}\n`, { mode: 0o600 })
  stopOnSignal(installation, (signal) => {
    log.info({ signal }, 'stopping: requests under way are finished first')
    rmSync(addressFile, { force: true })
  })
  await sayReady({ platform: app.platform, db, address, keyFile })
}

async function listen({ app, db }: Installation, { host, port }: Config): Promise<string> {
  try {
    return await app.http.listen({ host, port })
  } catch (error) {
    await app.stop()
    await db.close()
    throw new ConfigError([`HOST and PORT cannot be listened on: ${asError(error).message}.`], { cause: error })
  }
}

/** Works on jobs and stored deliveries without serving, beside processes that serve. PostgreSQL only. */
export async function runWorker(config: Config): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new Error(
      'A separate worker needs DATABASE_URL: the embedded database serves one process, which works by itself.',
    )
  }
  const log = createLog(config.logLevel)
  const installation = await openInstallation({ ...config, worker: true }, log)
  await installation.app.start()
  process.stdout.write(`Connect works on jobs of ${installation.db.place}\n`)
  stopOnSignal(installation, (signal) => log.info({ signal }, 'stopping: jobs under way are finished first'))
}

function stopOnSignal({ app, db }: Installation, tell: (signal: string) => void): void {
  const stop = async (signal: string): Promise<void> => {
    tell(signal)
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    await app.stop()
    await db.close()
    process.exit(0)
  }
  process.once('SIGTERM', (signal) => void stop(signal))
  process.once('SIGINT', (signal) => void stop(signal))
}
