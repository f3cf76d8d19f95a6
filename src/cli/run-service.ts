import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ADDRESS_FILE, PROVIDERS_FILE } from '../app/data-files.ts'
import { sayReady } from '../app/start-text.ts'
import { startWatchdog } from '../app/watchdog.ts'
import { type Config, ConfigError } from '../config.ts'
import { asError } from '../errors.ts'
import { createLog, type Logger } from '../log.ts'
import { atLength } from '../standstill.ts'
import { type Installation, openInstallation } from './installation.ts'
import type { ProviderAddresses } from './local-service.ts'
import { proveFolder } from './service-proof.ts'

/** A drain that takes longer than this is cut off, so that a stuck request does not keep the process for ever. */
const STOP_TIMEOUT_MS = 30_000

/** A service that answers. */
export interface Service extends Installation {
  address: string
  /** Finishes requests under way, hands jobs back and closes the database; a second call waits for the first. */
  stop(): Promise<void>
}

/** Serves until a signal comes. */
export async function runService(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  startWatchdog()
  // On a slow or busy machine loading, preparing and seeding may hold the event loop for long; nobody is answered yet.
  const service = await atLength(() => startService(config, log))
  stopOnSignal(service.stop, (signal) => log.info({ signal }, 'stopping: requests under way are finished first'))
  const { app, db, address, keyFile } = service
  await sayReady({ platform: app.platform, db, address, keyFile })
}

/** Opens the installation and serves it, and lets the command line find it by its data folder. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const installation = await openInstallation(config, log)
  const { app, db } = installation
  let address: string | undefined
  proveFolder(app.http, config.dataDir, () => address)
  await app.start()
  address = await listen(installation, config)
  const addressFile = path.join(config.dataDir, ADDRESS_FILE)
  const { telcoBaseUrl = null, voiceaiBaseUrl } = config
  const providers: ProviderAddresses = { telcoBaseUrl, voiceaiBaseUrl }
  writeFileSync(path.join(config.dataDir, PROVIDERS_FILE), `${JSON.stringify(providers)}\n`, { mode: 0o600 })
  writeFileSync(addressFile, `${address}\n`, { mode: 0o600 })
  const stop = async (): Promise<void> => {
    rmSync(addressFile, { force: true })
    await app.stop()
    await db.close()
  }
  let stopped: Promise<void> | undefined
  return { ...installation, address, stop: () => (stopped ??= stop()) }
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
  startWatchdog()
  const { app, db } = await atLength(async () => {
    const installation = await openInstallation({ ...config, worker: true }, log)
    await installation.app.start()
    return installation
  })
  process.stdout.write(`Connect works on jobs of ${db.place}\n`)
  const stop = async (): Promise<void> => {
    await app.stop()
    await db.close()
  }
  stopOnSignal(stop, (signal) => log.info({ signal }, 'stopping: jobs under way are finished first'))
}

function stopOnSignal(stop: () => Promise<void>, tell: (signal: string) => void): void {
  const end = async (signal: string): Promise<void> => {
    tell(signal)
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    await stop()
    process.exit(0)
  }
  process.once('SIGTERM', (signal) => void end(signal))
  process.once('SIGINT', (signal) => void end(signal))
}
