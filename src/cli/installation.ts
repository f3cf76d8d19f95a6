import { mkdirSync } from 'node:fs'
import { ensureLocalKey } from '../app/local-key.ts'
import { seed } from '../app/seed.ts'
import { type App, createApp } from '../app.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { asError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { renewSecrets } from '../platform/renew-secrets.ts'
import { type Cipher, openCipher } from '../platform/secrets.ts'
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
    const cipher = openCipher(config)
    await db.migrate()
    await seed(db, cipher, config)
    const keyFile = await ensureLocalKey(db, config.dataDir)
    const app = createApp({ config, db, cipher, log })
    await renewSecrets(db, app.platform.models, cipher)
    // Read before anybody is answered: it shows whether the secrets can be decrypted.
    await app.platform.settings.get()
    return { db, cipher, keyFile, app }
  } catch (error) {
    await db.close()
    throw error
  }
}

function makeFolder(variable: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError([`${variable} cannot be used as a folder: ${asError(error).message}.`], { cause: error })
  }
}
