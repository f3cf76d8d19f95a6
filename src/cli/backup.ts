import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BackupReport } from '../app/backup/backups.ts'
import { backupName, backupsFolder, inBackupsFolder, removeOldBackups } from '../app/backup/backups-folder.ts'
import { MANIFEST, RUNNING_ROOM_BYTES, writeBackup } from '../app/backup/write-backup.ts'
import { type Connection, ServiceRefusal } from '../app/own-api/connection.ts'
import type { Config } from '../config.ts'
import { FileCopier } from '../copy-files.ts'
import { asError, Refusal } from '../errors.ts'
import { findLocalService, type LocalService, serviceConnection } from './service/local-service.ts'
import { requireOwnFolder } from './service/own-folder.ts'
import { closeFolder, makeFilesPrivate } from './service/private-files.ts'

const LOOK_EVERY_MS = 200
/** What a folder says that cannot be moved to: it is on another disk, or is where one is mounted. */
const COPY_INSTEAD: ReadonlySet<unknown> = new Set(['EXDEV', 'EBUSY', 'ENOTEMPTY', 'EEXIST'])

/** A backup that is whole. */
export interface Made {
  folder: string
  kept: string[]
  /** What has to be kept in another way. */
  left: string[]
  /** How long the database of the running service was held; null when none ran. */
  held_ms: number | null
  /** Older backups that were removed for it. */
  removed: string[]
}

interface Wanted {
  /** Undefined is one of its own in DATA_DIR/backups. */
  folder: string | undefined
  keep: number | undefined
  /** Hears what is done now. */
  onStep: (step: string) => void
}

/**
 * Backs up an installation: through the service that runs on the data folder, or its folder while none runs. Refuses a folder
 * that holds something. A backup that does not become whole is removed.
 */
export async function makeBackup(config: Config, { folder, keep, onStep }: Wanted): Promise<Made> {
  requireOwnFolder(config.dataDir)
  if (folder !== undefined && existsSync(folder) && readdirSync(folder).length > 0) {
    throw new ServiceRefusal(409, `${folder} is not empty.`)
  }
  // Beside a server the database is not copied, and who serves from it changes nothing of what is.
  const service = config.databaseUrl === undefined ? await findLocalService(config) : undefined
  makeFilesPrivate()
  const made = await (service === undefined
    ? backUpFolder(config, folder, onStep)
    : backUpService(config, { service, folder, onStep }))
  const removed = keep === undefined ? [] : removeOldBackups(config.dataDir, keep)
  return { ...made, removed }
}

/** The service writes below its own data folder only; from there the backup is moved to where it is wanted. */
async function backUpService(
  { dataDir }: Config,
  { service, folder, onStep }: { service: LocalService; folder: string | undefined; onStep: Wanted['onStep'] },
): Promise<Omit<Made, 'removed'>> {
  const connection = serviceConnection(service)
  const { name } = await connection.call<BackupReport>('connect.settings', 'make_backup')
  const { kept, left, held_ms } = await waitForBackup(connection, name, onStep)
  const made = path.join(backupsFolder(dataDir), name)
  if (folder === undefined) return { folder: made, kept, left, held_ms }
  try {
    await moveBackup(made, folder)
  } catch (error) {
    const reason = asError(error).message
    throw new ServiceRefusal(
      500,
      `The backup is whole, and could not be moved to ${folder}: ${reason} It is in ${made}.`,
      {
        cause: error,
      },
    )
  }
  return { folder, kept, left, held_ms }
}

async function waitForBackup(connection: Connection, name: string, onStep: Wanted['onStep']): Promise<BackupReport> {
  for (let told = ''; ; ) {
    const report = await connection.call<BackupReport>('connect.settings', 'read_backup').catch((error: unknown) => {
      if (error instanceof ServiceRefusal) throw error
      throw new ServiceRefusal(503, 'The service stopped before the backup was whole: there is none.', { cause: error })
    })
    if (report.name !== name) throw new ServiceRefusal(409, `Another backup, ${report.name}, was begun meanwhile.`)
    if (report.state === 'failed') throw new ServiceRefusal(500, `There is no backup: ${report.error ?? 'it failed.'}`)
    if (report.state === 'done') return report
    if (report.step !== told) onStep(report.step)
    told = report.step
    await pause(LOOK_EVERY_MS)
  }
}

async function moveBackup(from: string, to: string): Promise<void> {
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 })
  try {
    renameSync(from, to)
    return
  } catch (error) {
    if (!COPY_INSTEAD.has((error as NodeJS.ErrnoException).code)) throw error
  }
  await writeInto(to, async () => {
    const copier = new FileCopier({ bytesFree: RUNNING_ROOM_BYTES })
    await copier.folder(from, to, { except: [MANIFEST] })
    await copier.sync(to)
    await copier.file(path.join(from, MANIFEST), path.join(to, MANIFEST))
    await copier.sync(to)
  })
  rmSync(from, { recursive: true })
}

async function backUpFolder(
  config: Config,
  folder: string | undefined,
  onStep: Wanted['onStep'],
): Promise<Omit<Made, 'removed'>> {
  const { dataDir } = config
  if (!existsSync(dataDir)) throw new ServiceRefusal(404, `There is nothing to back up: ${dataDir} is not there.`)
  // While somebody serves from the folder its files change under us, so the copy would be none.
  const { lockFolder } = await import('../database/embedded/folder-lock.ts')
  const lock = lockFolder(dataDir)
  try {
    const name = backupName(new Date())
    const write = (target: string) => writeBackup({ config, onStep }, target)
    const { kept, left } = await (folder === undefined
      ? inBackupsFolder({ dataDir, name }, write)
      : writeInto(folder, () => write(folder)))
    return { folder: folder ?? path.join(backupsFolder(dataDir), name), kept, left, held_ms: null }
  } finally {
    lock.release()
  }
}

/** Leaves nothing in the folder, or no such folder, when the work fails; else it is for nobody else. */
async function writeInto<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const wasThere = existsSync(folder)
  try {
    const result = await work()
    closeFolder(folder)
    return result
  } catch (error) {
    const written = wasThere ? readdirSync(folder).map((name) => path.join(folder, name)) : [folder]
    for (const each of written) rmSync(each, { recursive: true, force: true, maxRetries: 5 })
    if (error instanceof Refusal) throw error
    throw new ServiceRefusal(500, `There is no backup in ${folder}: ${asError(error).message}`, { cause: error })
  }
}
