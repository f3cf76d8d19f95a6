import { mkdirSync } from 'node:fs'
import { ensureLocalKey } from '../app/local-key.ts'
import { seed } from '../app/seed.ts'
import { type App, createApp } from '../app.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { asError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { hasKeyFile, removeOldKey } from '../platform/key-file.ts'
import { renewSecrets } from '../platform/renew-secrets.ts'
import { type Cipher, openCipher } from '../platform/secrets.ts'
import { holdsSecrets } from '../platform/stored-secrets.ts'
import { closeFolder, makeFilesPrivate } from './private-files.ts'

/** An installation's database, open, migrated and seeded. */
export interface Installation {
  db: Database
  cipher: Cipher
  /** File with the key by which local scripts act as the built-in administrator. */
  keyFile: string
  app: App
}

/** Opens the database that the configuration names, brings it up to date, and puts the service together over it. */
export async function openInstallation(config: Config, log: Logger): Promise<Installation> {
  makeFilesPrivate()
  makeFolder('DATA_DIR', config.dataDir)
  makeFolder('MEDIA_DIR', config.mediaDir)
  const open = closeFolder(config.dataDir)
  if (open.length > 0)
    log.warn({ open }, 'other accounts of this machine can read these, and their owner is another one')
  const db = await openDatabase(config)
  try {
    if (db.loss !== undefined) log.fatal(db.loss)
    await db.migrate()
    await requireKey(db, config)
    const cipher = openCipher(config)
    await seed(db, cipher, config)
    const keyFile = await ensureLocalKey(db, cipher, config.dataDir)
    const app = createApp({ config, db, cipher, log })
    const { unreadable } = await renewSecrets(db, app.platform.models, cipher)
    if (unreadable.length > 0) log.error({ unreadable }, 'secrets that no known key reads: they have to be set anew')
    // Only who had the old key has looked at what is under it.
    else if (cipher.hasOldKeys) removeOldKey(config.dataDir)
    // Read before anybody is answered: it shows whether the secrets can be decrypted.
    await app.platform.settings.get()
    return { db, cipher, keyFile, app }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** A new key would read none of the secrets that are there. */
async function requireKey(db: Database, { secretKey, oldSecretKey, dataDir }: Config): Promise<void> {
  // Whoever gives the key before asks for a new one.
  if ([secretKey, oldSecretKey].some((key) => key !== undefined)) return
  if (hasKeyFile(dataDir) || !(await holdsSecrets(db))) return
  throw new ConfigError([
    `The database (${db.place}) holds secrets, but DATA_DIR has no secret.key and SECRET_KEY is not set. ` +
      'Put the key back: from a backup, or from the process that has it.',
  ])
}

function makeFolder(variable: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError([`${variable} cannot be used as a folder: ${asError(error).message}.`], { cause: error })
  }
}
