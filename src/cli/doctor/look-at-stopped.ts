import { existsSync } from 'node:fs'
import path from 'node:path'
import { createApp } from '../../app/create-app.ts'
import { settingsModel } from '../../app/settings.ts'
import { type Config, ConfigError } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { DamagedFolderError } from '../../database/embedded/damage.ts'
import { openEmbedded } from '../../database/embedded/embedded.ts'
import { UNFINISHED_RESTORE } from '../../database/embedded/engine-folder.ts'
import { lockFolderToLook } from '../../database/embedded/folder-lock.ts'
import { readSchemaVersion, type SchemaVersion } from '../../database/schema-version.ts'
import { openServerToLook } from '../../database/server/server.ts'
import { NoRoomError } from '../../disk-room.ts'
import { createLog } from '../../log.ts'
import { callMethod } from '../../platform/api/rpc.ts'
import { LOCAL_ADMIN } from '../../platform/identity/service-users.ts'
import { hasKeyFile } from '../../platform/secrets/key-file.ts'
import { type Cipher, cipherOf, openCipher } from '../../platform/secrets/secrets.ts'
import { holdsSecrets } from '../../platform/secrets/stored-secrets.ts'
import type { Connection } from '../service/connection.ts'
import { copyToLook } from './database-copy.ts'
import type { Finding } from './finding.ts'

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
  const opened = await openToLook(config)
  if ('check' in opened) return { findings: [opened], connection: undefined, close: async () => undefined }
  const { db, close } = opened
  try {
    const findings: Finding[] = []
    if (db.loss !== undefined) findings.push(wrong('database', db.loss, RESTORE))
    const connection = await connectionOf(db, config, findings)
    return { findings, connection, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openToLook(config: Config): Promise<OpenLook | Finding> {
  if (config.databaseUrl === undefined) return openCopy(config.dataDir)
  try {
    const db = await openServerToLook(config.databaseUrl)
    return { db, close: () => db.close() }
  } catch (error) {
    if (error instanceof ConfigError) {
      return wrong('database', error.problems.join(' '), 'Check DATABASE_URL and the server.')
    }
    throw error
  }
}

async function openCopy(dataDir: string): Promise<OpenLook | Finding> {
  if (existsSync(path.join(dataDir, UNFINISHED_RESTORE))) {
    return wrong('database', `a backup was not restored to its end in ${dataDir}`, 'Restore it again.')
  }
  const lock = lockFolderToLook(dataDir)
  try {
    const copy = await copyToLook(dataDir)
    if (copy === undefined) {
      return wrong('database', `${dataDir} holds files of an installation, but not its database`, RESTORE)
    }
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
      return wrong('database', error.message.replaceAll(copy.dataDir, dataDir), RESTORE)
    }
  } catch (error) {
    if (!(error instanceof NoRoomError)) throw error
    const fix = 'Make room there, set TMPDIR to a folder on a larger disk, or start the service and run this again.'
    return {
      result: 'note',
      check: 'database',
      finding: `was not looked into, for want of a copy: ${error.message}`,
      fix,
    }
  } finally {
    lock.release()
  }
}

/** Undefined, with the reason among the findings, when records cannot be read as they are. */
async function connectionOf(db: Database, config: Config, findings: Finding[]): Promise<Connection | undefined> {
  const version = await readSchemaVersion(db)
  findings.push(describeVersion(version))
  if (version.present !== version.needed) return undefined
  const cipher = await cipherToLook(db, config)
  if (cipher === undefined) {
    const fix = 'Put the key back: from a backup, or from the process that has it.'
    findings.push(
      wrong('secret key', 'the database holds secrets, but there is neither secret.key nor SECRET_KEY', fix),
    )
    return undefined
  }
  const app = createApp({ config, db, cipher, log: createLog('silent') })
  const identity = await app.identities.serviceUser(LOCAL_ADMIN)
  if (identity === undefined) {
    findings.push({ result: 'note', check: 'seed', finding: 'what a first start puts in is missing', fix: 'npm start' })
    return undefined
  }
  try {
    await app.platform.settings.get()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    findings.push(wrong('secret key', error.problems.join(' '), 'Give the key that the installation was run with.'))
    return undefined
  }
  return {
    kind: 'folder',
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
export function describeVersion({ present, needed }: SchemaVersion): Finding {
  const check = 'schema'
  if (present === needed) return { result: 'ok', check, finding: `the database is at version ${present}`, fix: '' }
  if (present === 0) {
    return { result: 'note', check, finding: 'the database is empty', fix: 'npm start makes an installation in it.' }
  }
  if (present < needed) {
    const finding = `the database is at version ${present}, this program needs ${needed}: it will be migrated at the next start; its records were not looked at`
    return { result: 'note', check, finding, fix: 'Take a backup, then npm start.' }
  }
  const finding = `the database is at version ${present}, this program knows ${needed}: a later version has written it`
  return wrong(check, finding, 'Start the version that it was used with.')
}

function wrong(check: string, finding: string, fix: string): Finding {
  return { result: 'WRONG', check, finding, fix }
}
