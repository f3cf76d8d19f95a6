import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { KEPT, MANIFEST } from '../../app/backup/write-backup.ts'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import type { Config } from '../../config.ts'
import { UNFINISHED_RESTORE } from '../../database/embedded/engine-folder.ts'
import type { CommandRow } from '../command.ts'
import { findLocalService } from '../service/local-service.ts'
import { requireOwnFolder } from '../service/own-folder.ts'
import { closeFolder, makeFilesPrivate } from '../service/private-files.ts'

export const RESTORE_COMMAND: CommandRow = {
  usage: 'restore <folder>',
  about: 'put a backup into DATA_DIR; what is there is moved aside',
  async run({ config, output }, folder: string) {
    const aside = await restore(config, path.resolve(folder))
    const sentence = `Restored.${aside === undefined ? '' : ` What was there is now in ${aside}.`}`
    output.done(sentence, { folder, aside: aside ?? null })
  },
}

/** What to do about a service that runs on the folder. */
const STOP_FIRST = 'Stop the service (Ctrl-C, or systemctl stop connect) and restore again. Nothing was changed.'
/** An embedded database is in the folder, so another folder holds another installation. */
const OR_LOOK_BESIDE = 'To look at the backup beside it, restore it into a new folder: DATA_DIR=./looked-at.'

async function restore(config: Config, folder: string): Promise<string | undefined> {
  requireOwnFolder(config.dataDir)
  if (!existsSync(path.join(folder, MANIFEST)))
    throw new ServiceRefusal(404, `${folder} is not a backup: it has no ${MANIFEST}.`)
  requireSameKind(config, folder)
  // Beside a server a running service holds no lock on the folder.
  if (config.databaseUrl !== undefined && (await findLocalService(config)) !== undefined) {
    throw new ServiceRefusal(409, `A service runs on ${config.dataDir}. ${STOP_FIRST}`)
  }
  makeFilesPrivate()
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const { lockFolder } = await import('../../database/embedded/folder-lock.ts')
  const lock = lockFolder(config.dataDir, `${STOP_FIRST} ${OR_LOOK_BESIDE}`)
  try {
    // A process that dies in between leaves a folder that says so, and that nobody starts on.
    const unfinished = path.join(config.dataDir, UNFINISHED_RESTORE)
    writeFileSync(unfinished, '')
    const present = KEPT.filter((name) => existsSync(path.join(config.dataDir, name)))
    const aside = present.length === 0 ? undefined : path.join(config.dataDir, `before-restore-${Date.now()}`)
    if (aside !== undefined) {
      mkdirSync(aside, { mode: 0o700 })
      for (const name of present) renameSync(path.join(config.dataDir, name), path.join(aside, name))
    }
    for (const name of KEPT) {
      const source = path.join(folder, name)
      if (existsSync(source)) cpSync(source, path.join(config.dataDir, name), { recursive: true })
    }
    closeFolder(config.dataDir)
    rmSync(unfinished)
    return aside
  } finally {
    lock.release()
  }
}

/** A backup of one kind of database restores nothing onto the other: it would leave keys and audio beside other records. */
function requireSameKind({ databaseUrl }: Config, folder: string): void {
  const { database } = JSON.parse(readFileSync(path.join(folder, MANIFEST), 'utf8')) as { database?: string }
  if (database === 'embedded' && databaseUrl !== undefined) {
    throw new ServiceRefusal(
      409,
      `${folder} is a backup of an embedded database, and DATABASE_URL names a server. Restore it without DATABASE_URL, ` +
        'then move it there: connect move --to <address>.',
    )
  }
  if (database === 'server' && databaseUrl === undefined) {
    throw new ServiceRefusal(
      409,
      `${folder} is a backup beside a PostgreSQL database, which it does not hold. Set DATABASE_URL to that database.`,
    )
  }
}
