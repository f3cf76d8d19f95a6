import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Finding, named, note, type Outcome, ok, wrong } from '../../app/checks/finding.ts'
import { createApp } from '../../app/create-app.ts'
import type { Connection } from '../../app/own-api/connection.ts'
import { settingsModel } from '../../app/settings.ts'
import { type Config, ConfigError } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { DamagedFolderError } from '../../database/embedded/damage.ts'
import { openEmbedded } from '../../database/embedded/embedded.ts'
import { UNFINISHED_RESTORE, whereMoved } from '../../database/embedded/engine-folder.ts'
import { lockFolderToLook } from '../../database/embedded/folder-lock.ts'
import { readSchemaVersion, type SchemaVersion } from '../../database/schema-version.ts'
import { openServerToLook } from '../../database/server/server.ts'
import { NoRoomError } from '../../disk-room.ts'
import { createLog } from '../../log.ts'
import { callMethod } from '../../platform/api/rpc.ts'
import { LOCAL_ADMIN } from '../../platform/identity/service-users.ts'
import { hasKeyFile } from '../../platform/secrets/key-file.ts'
import { holdsSecrets } from '../../platform/secrets/renew-secrets.ts'
import { type Cipher, cipherOf, openCipher } from '../../platform/secrets/secrets.ts'
import { copyToLook } from './database-copy.ts'

/** An installation that nobody serves, as it is. */
interface Look {
  findings: Finding[]
  /** Only for reading; undefined when the database cannot be asked by this program as it is. */
  connection: Connection | undefined
  close(): Promise<void>
}

interface OpenLook {
  db: Database
  close(): Promise<void>
}

const RESTORE = 'npx connect restore <folder> puts a backup back.'

/**
 * Opens the database so that nothing of it changes: nothing is migrated, seeded or made. A server's in sessions that only read,
 * the embedded one as a copy. Throws when another process has the data folder.
 */
export async function lookAtStopped(config: Config): Promise<Look> {
  const opened = await (config.databaseUrl === undefined ? openCopy(config.dataDir) : openServer(config.databaseUrl))
  if ('result' in opened) {
    return { findings: [named('database', opened)], connection: undefined, close: async () => undefined }
  }
  const { db, close } = opened
  try {
    const findings: Finding[] = db.loss === undefined ? [] : [named('database', wrong(db.loss, RESTORE))]
    const connection = await connectionOf(db, config, (check, outcome) => findings.push(named(check, outcome)))
    return { findings, connection, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openServer(url: string): Promise<OpenLook | Outcome> {
  try {
    const db = await openServerToLook(url)
    return { db, close: () => db.close() }
  } catch (error) {
    if (error instanceof ConfigError) return wrong(error.problems.join(' '), 'Check DATABASE_URL and the server.')
    throw error
  }
}

async function openCopy(dataDir: string): Promise<OpenLook | Outcome> {
  if (existsSync(path.join(dataDir, UNFINISHED_RESTORE))) {
    return wrong(`a backup was not restored to its end in ${dataDir}`, 'Restore it again.')
  }
  const lock = lockFolderToLook(dataDir)
  try {
    const copy = await copyToLook(dataDir)
    const moved = copy === undefined ? whereMoved(dataDir) : undefined
    if (moved !== undefined) return wrong(moved.finding, moved.cure)
    if (copy === undefined) return wrong(`${dataDir} holds files of an installation, but not its database`, RESTORE)
    try {
      const db = await openEmbedded(copy.dataDir)
      const close = async (): Promise<void> => {
        await db.close()
        copy.remove()
      }
      // Whatever is said of the copy is true of the folder it was made of.
      return { db: { ...db, loss: db.loss?.replaceAll(copy.dataDir, dataDir) }, close }
    } catch (error) {
      copy.remove()
      if (!(error instanceof DamagedFolderError)) throw error
      return wrong(error.message.replaceAll(copy.dataDir, dataDir), RESTORE)
    }
  } catch (error) {
    if (!(error instanceof NoRoomError)) throw error
    const fix = 'Make room there, set TMPDIR to a folder on a larger disk, or start the service and run this again.'
    return note(`was not looked into, for want of a copy: ${error.message}`, fix)
  } finally {
    lock.release()
  }
}

/** Undefined, with the reason reported, when records cannot be read as they are. */
async function connectionOf(
  db: Database,
  config: Config,
  report: (check: string, outcome: Outcome) => void,
): Promise<Connection | undefined> {
  const version = await readSchemaVersion(db)
  report('schema', describeVersion(version))
  if (version.present !== version.needed) return undefined
  const cipher = await cipherToLook(db, config)
  if (cipher === undefined) {
    const finding = 'the database holds secrets, but there is neither secret.key nor SECRET_KEY'
    report('secret key', wrong(finding, 'Put the key back: from a backup, or from the process that has it.'))
    return undefined
  }
  const app = createApp({ config, db, cipher, log: createLog('silent') })
  const identity = await app.identities.serviceUser(LOCAL_ADMIN)
  if (identity === undefined) {
    report('seed', note('what a first start puts in is missing', 'npm start'))
    return undefined
  }
  try {
    await app.platform.settings.get()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    report('secret key', wrong(error.problems.join(' '), 'Give the key that the installation was run with.'))
    return undefined
  }
  return {
    address: undefined,
    call: async <Result>(model: string, method: string, args: object = {}) =>
      (await callMethod(app.platform, db, identity, { model, method, body: args })) as Result,
    close: async () => undefined,
  }
}

/** A key is not made: without one nothing can have been encrypted. */
async function cipherToLook(db: Database, config: Config): Promise<Cipher | undefined> {
  if (config.secretKey !== undefined || hasKeyFile(config.dataDir)) return openCipher(config)
  return (await holdsSecrets(db, settingsModel)) ? undefined : cipherOf('')
}

/** What it means that the tables are of this version. */
function describeVersion({ present, needed }: SchemaVersion): Outcome {
  if (present === needed) return ok(`the database is at version ${present}`)
  if (present === 0) return note('the database is empty', 'npm start makes an installation in it.')
  if (present < needed) {
    const finding = `the database is at version ${present}, this program needs ${needed}: it will be migrated at the next start; its records were not looked at`
    return note(finding, 'Take a backup, then npm start.')
  }
  const finding = `the database is at version ${present}, this program knows ${needed}: a later version has written it`
  return wrong(finding, 'Start the version that it was used with.')
}
