import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { MANIFEST } from './write-backup.ts'

/** Below DATA_DIR: where backups go that were given no folder. */
const FOLDER = 'backups'
/** The end of the name while a backup is being made; without it the backup is whole. */
const UNFINISHED = '.part'
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

export function backupsFolder(dataDir: string): string {
  return path.join(dataDir, FOLDER)
}

/** The name of a backup that is begun now, such as `2026-03-01T09-30-00-000Z`: names are in the order of time. */
export function backupName(now: Date): string {
  return now.toISOString().replaceAll(/[:.]/g, '-')
}

/**
 * Has a backup written under a name that says that it is unfinished, and gives it its own when it is whole; removes it when it
 * does not become one. The caller is the only one who makes backups in that folder.
 */
export async function inBackupsFolder<Result>(
  { dataDir, name }: { dataDir: string; name: string },
  write: (folder: string) => Promise<Result>,
): Promise<Result> {
  removeUnfinished(dataDir)
  const folder = path.join(backupsFolder(dataDir), name)
  const part = folder + UNFINISHED
  mkdirSync(backupsFolder(dataDir), { recursive: true, mode: 0o700 })
  try {
    const result = await write(part)
    renameSync(part, folder)
    return result
  } catch (error) {
    rmSync(part, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
}

/** Removes what a process left that was killed while it made a backup. */
export function removeUnfinished(dataDir: string): void {
  for (const name of namesIn(dataDir)) {
    if (!name.endsWith(UNFINISHED) || !NAME.test(name.slice(0, -UNFINISHED.length))) continue
    rmSync(path.join(backupsFolder(dataDir), name), { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Removes all but the latest so many whole backups; the names of those that are gone, the oldest first. */
export function removeOldBackups(dataDir: string, keep: number): string[] {
  const isBackup = (name: string): boolean =>
    NAME.test(name) && existsSync(path.join(backupsFolder(dataDir), name, MANIFEST))
  const whole = namesIn(dataDir).filter(isBackup).sort()
  const old = whole.slice(0, Math.max(0, whole.length - keep))
  for (const name of old) rmSync(path.join(backupsFolder(dataDir), name), { recursive: true, maxRetries: 5 })
  return old
}

function namesIn(dataDir: string): string[] {
  const folder = backupsFolder(dataDir)
  return existsSync(folder) ? readdirSync(folder) : []
}
