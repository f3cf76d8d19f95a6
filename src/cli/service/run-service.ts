import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ADDRESS_FILE, PROVIDERS_FILE } from '../../app/data-files.ts'
import { sayReady, sayWaiting, sayWorkerWaiting } from '../../app/start-text.ts'
import { type Config, ConfigError } from '../../config.ts'
import { asError } from '../../errors.ts'
import { createLog, type Logger } from '../../log.ts'
import {
  type ClosedInstallation,
  closedInstallation,
  type Installation,
  isOutage,
  openInstallation,
} from './installation.ts'
import type { ProviderAddresses } from './local-service.ts'
import { proveFolder } from './service-proof.ts'

/** A drain that takes longer than this is cut off, so that a stuck request does not keep the process for ever. */
const STOP_TIMEOUT_MS = 30_000
/** Between attempts at a database that is unavailable. */
const OPEN_AGAIN_MS = 1_000

/** A service that answers. */
export interface Service extends Installation {
  address: string
  /** Finishes requests under way, hands jobs back and closes the database; a second call waits for the first. */
  stop(): Promise<void>
}

/** A service that listens; its database may still be on its way. */
interface ListeningService extends Pick<Service, 'address' | 'stop'> {
  /** The whole, once its database is open; undefined when it was stopped before. Throws when it never will be. */
  opened: Promise<Installation | undefined>
}

/** Serves until a signal comes. */
export async function runService(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const { address, stop, opened } = await listenService(config, log, sayWaiting)
  stopOnSignal(stop, (signal) => log.info({ signal }, 'stopping: requests under way are finished first'))
  const installation = await opened
  if (installation === undefined) return
  const { app, db, keyFile } = installation
  await sayReady({ platform: app.platform, db, address, keyFile })
}

/** Opens the installation and serves it, and lets the command line find it by its data folder. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const { address, stop, opened } = await listenService(config, log, () => undefined)
  const installation = await opened
  if (installation === undefined) throw new Error('the service was stopped before its database was open')
  return { ...installation, address, stop }
}

/**
 * Listens before the database is open where an earlier start has saved by whom deliveries are sent, and otherwise after it.
 * `wait` is told once when the database is unavailable.
 */
async function listenService(config: Config, log: Logger, wait: typeof sayWaiting): Promise<ListeningService> {
  const closed = await closedInstallation(config, log)
  if (closed === undefined) return serveOpen(await openInstallation(config, log), config)
  const waiting = new AbortController()
  const served = await serve(closed, config)
  const { address } = served
  const opening = openWhenThere(closed, {
    log,
    isStopped: waiting.signal,
    wait: (reason) => wait({ address, place: closed.db.place, reason }),
  })
  const stop = async (): Promise<void> => {
    waiting.abort()
    await opening.catch(() => undefined)
    await served.stop()
  }
  const opened = opening.catch(async (error: unknown) => {
    await served.stop()
    throw error
  })
  return { address, stop, opened }
}

async function serveOpen(installation: Installation, config: Config): Promise<ListeningService> {
  const start = () => installation.app.start()
  return { ...(await serve(installation, config, start)), opened: Promise.resolve(installation) }
}

/**
 * Opens and starts the installation, trying until the database is there; undefined when it is stopped meanwhile. `wait` is
 * called once, with the reason, when the database is unavailable.
 */
async function openWhenThere(
  { app, open }: ClosedInstallation,
  { log, isStopped, wait }: { log: Logger; isStopped: AbortSignal; wait: (reason: string) => void },
): Promise<Installation | undefined> {
  let hasSaid = false
  while (!isStopped.aborted) {
    try {
      const installation = await open()
      await app.start()
      return installation
    } catch (thrown) {
      const error = asError(thrown)
      if (!isOutage(error)) throw error
      log.warn({ err: error }, 'the database is unavailable; it is tried again')
      if (!hasSaid) wait(reasonOf(error))
      hasSaid = true
      await delay(OPEN_AGAIN_MS, undefined, { signal: isStopped }).catch(() => undefined)
    }
  }
  return undefined
}

function reasonOf(error: Error): string {
  const { cause } = error
  const reason = asError(cause ?? error)
  return reason.message || ('code' in reason ? String(reason.code) : reason.name)
}

/** Listens, after what is to be started before, and lets the command line find the service. */
async function serve(
  installation: Pick<Installation, 'app' | 'db'>,
  config: Config,
  start: () => Promise<void> = async () => undefined,
): Promise<Pick<Service, 'address' | 'stop'>> {
  const { app, db } = installation
  let address: string | undefined
  proveFolder(app.http, config.dataDir, () => address)
  await start()
  const listening = await listen(installation, config)
  address = listening
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
  return { address, stop: () => (stopped ??= stop()) }
}

async function listen({ app, db }: Pick<Installation, 'app' | 'db'>, { host, port }: Config): Promise<string> {
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
  const settings = { ...config, worker: true }
  const closed = await closedInstallation(settings, log)
  const waiting = new AbortController()
  const opening =
    closed === undefined
      ? openAndStart(settings, log)
      : openWhenThere(closed, {
          log,
          isStopped: waiting.signal,
          wait: (reason) => sayWorkerWaiting({ place: closed.db.place, reason }),
        })
  const stop = async (): Promise<void> => {
    waiting.abort()
    const { app, db } = (await opening.catch(() => undefined)) ?? closed ?? {}
    await app?.stop()
    await db?.close()
  }
  stopOnSignal(stop, (signal) => log.info({ signal }, 'stopping: jobs under way are finished first'))
  const installation = await opening
  if (installation !== undefined) process.stdout.write(`Connect works on jobs of ${installation.db.place}\n`)
}

async function openAndStart(config: Config, log: Logger): Promise<Installation> {
  const installation = await openInstallation(config, log)
  await installation.app.start()
  return installation
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
