import { mkdirSync } from 'node:fs'
import { whyNotOurs } from '../../account.ts'
import { type App, createApp } from '../../app/create-app.ts'
import { ensureLocalKey } from '../../app/local-key.ts'
import { seed } from '../../app/seed.ts'
import { openSettings, settingsFileOf, settingsModel } from '../../app/settings.ts'
import { type Config, ConfigError } from '../../config.ts'
import { type Database, isUnavailable } from '../../database/database.ts'
import { behindGate } from '../../database/gate.ts'
import { openDatabase } from '../../database/open.ts'
import { readSchemaVersion } from '../../database/schema-version.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { hasKeyFile, removeOldKey } from '../../platform/secrets/key-file.ts'
import { holdsSecrets, renewSecrets } from '../../platform/secrets/renew-secrets.ts'
import { type Cipher, openCipher } from '../../platform/secrets/secrets.ts'
import { closeFolder, makeFilesPrivate } from './private-files.ts'

/** Parts of DATA_DIR that every start writes. */
const WRITTEN_AT_START = ['database', 'connect.lock', 'connect.lock.owner']

/** An installation's database, open, migrated and seeded. */
export interface Installation {
  db: Database
  cipher: Cipher
  /** File with the key by which local scripts act as the built-in administrator. */
  keyFile: string
  app: App
}

/** A service that can answer already, and whose database is still to be opened. */
export interface ClosedInstallation {
  db: Database
  app: App
  /** Opens the database and brings it up to date. May be called again when it throws for a database that is unavailable. */
  open(): Promise<Installation>
}

/** Opens the database that the configuration names, brings it up to date, and puts the service together over it. */
export async function openInstallation(config: Config, log: Logger): Promise<Installation> {
  makeFolders(config, log)
  const db = await openDatabase(config, log)
  try {
    if (db.loss !== undefined) log.fatal(db.loss)
    await bringUpToDate(db, log)
    await requireKey(db, config)
    const cipher = openCipher(config)
    const app = createApp({ config, db, cipher, log })
    return { db, cipher, app, keyFile: await prepareInstallation({ db, cipher, app, config, log }) }
  } catch (error) {
    await db.close()
    throw error
  }
}

/**
 * The installation on a server whose settings an earlier start has saved, so that its process knows who sends what before
 * the database is open. Undefined without them: then the first start shows whether the configuration is right.
 */
export async function closedInstallation(config: Config, log: Logger): Promise<ClosedInstallation | undefined> {
  const { databaseUrl, databasePool, dataDir, secretKey } = config
  if (databaseUrl === undefined) return undefined
  makeFolders(config, log)
  if (secretKey === undefined && !hasKeyFile(dataDir)) return undefined
  const { placeOf, prepareServer } = await import('../../database/server/server.ts')
  const cipher = openCipher(config)
  if (settingsFileOf({ dataDir, cipher, database: placeOf(databaseUrl) }).read() === undefined) return undefined
  const { db, requireUsable } = prepareServer(databaseUrl, databasePool)
  const gate = behindGate(db)
  const app = createApp({ config, db: gate.db, cipher, log })
  const open = async (): Promise<Installation> => {
    await requireUsable()
    await bringUpToDate(db, log)
    await requireKey(db, config)
    const keyFile = await prepareInstallation({ db, cipher, app, config, log })
    gate.open()
    return { db, cipher, app, keyFile }
  }
  return { db, app, open }
}

/** An upgrade shows in the log which version the tables had. */
async function bringUpToDate(db: Database, log: Logger): Promise<void> {
  const { present, needed } = await readSchemaVersion(db)
  await db.migrate()
  if (present > 0 && present < needed) log.info({ from: present, to: needed }, 'the tables were brought up to date')
}

/** True for what a database says, or a network on the way to it, that may be there later as it is configured. */
export function isOutage(error: Error): boolean {
  return isUnavailable(error instanceof ConfigError ? error.cause : error)
}

/** Puts in what the service cannot do without; gives the file of the local key. */
async function prepareInstallation({
  db,
  cipher,
  app,
  config,
  log,
}: Omit<Installation, 'keyFile'> & { config: Config; log: Logger }): Promise<string> {
  await seed(db, cipher, config)
  const keyFile = await ensureLocalKey(db, cipher, config.dataDir)
  const { unreadable } = await renewSecrets(db, app.platform.models, cipher)
  if (unreadable.length > 0) log.error({ unreadable }, 'secrets that no known key reads: they have to be set anew')
  // Only who had the old key has looked at what is under it.
  else if (cipher.hasOldKeys) removeOldKey(config.dataDir)
  // Read before anybody is served: it shows whether the secrets can be decrypted.
  const { apiUrl } = await openSettings(db, cipher).get()
  if (config.apiUrl !== undefined && apiUrl !== undefined && config.apiUrl.trim() !== apiUrl) {
    log.warn(
      { given: config.apiUrl, used: apiUrl },
      'API_URL is for an empty setting only: another public address is set',
    )
  }
  return keyFile
}

/** A new key would read none of the secrets that are there. */
async function requireKey(db: Database, { secretKey, oldSecretKey, dataDir }: Config): Promise<void> {
  // Anyone who gives the key before asks for a new one.
  if ([secretKey, oldSecretKey].some((key) => key !== undefined)) return
  if (hasKeyFile(dataDir) || !(await holdsSecrets(db, settingsModel))) return
  throw new ConfigError([
    `The database (${db.place}) holds secrets, but DATA_DIR has no secret.key and SECRET_KEY is not set. ` +
      'Put the key back: from a backup, or from the process that has it.',
  ])
}

function makeFolders({ dataDir, mediaDir }: Config, log: Logger): void {
  makeFilesPrivate()
  makeFolder('DATA_DIR', dataDir)
  requireOurs('DATA_DIR', dataDir, WRITTEN_AT_START)
  makeFolder('MEDIA_DIR', mediaDir)
  requireOurs('MEDIA_DIR', mediaDir)
  const open = closeFolder(dataDir)
  if (open.length > 0)
    log.warn({ open }, 'other accounts of this machine can read these, and their owner is another one')
}

/** What belongs to somebody else would fail later, where it looks like damage. */
function requireOurs(variable: string, folder: string, parts: readonly string[] = []): void {
  const why = whyNotOurs(folder, parts)
  if (why !== undefined) throw new ConfigError([`${variable} cannot be used: ${why}`])
}

function makeFolder(variable: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError([`${variable} cannot be used as a folder: ${asError(error).message}.`], { cause: error })
  }
}
