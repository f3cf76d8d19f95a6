import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { whyNotOurs } from '../../account.ts'
import { ConfigError } from '../../config.ts'
import { asError } from '../../errors.ts'

const SQLITE_BUSY = 5
const LOCK_FILE = 'connect.lock'
const OWNER_FILE = 'connect.lock.owner'

/** What the person who wants to serve from the folder can do. */
const TO_SERVE =
  'The embedded database serves one process at a time: stop that one, choose another DATA_DIR, ' +
  'or set DATABASE_URL to a PostgreSQL server.'

/** Another process has the data folder open. */
export class FolderInUseError extends Error {
  constructor(dataDir: string, owner: string, cure: string) {
    super(`The data folder ${dataDir} is in use by ${owner}. ${cure}`)
    this.name = 'FolderInUseError'
  }
}

/**
 * Takes the data folder for this process, or throws FolderInUseError naming the process that has it, and what the person who reads
 * it can do.
 * The lock is SQLite's exclusive transaction, an advisory lock that the operating system drops when its process ends
 * however it ends, so there is no stale lock after `kill -9` and no race between two processes that both start.
 */
export function lockFolder(dataDir: string, cure = TO_SERVE): { release: () => void } {
  const lock = holdLock(dataDir, cure)
  writeFileSync(
    path.join(dataDir, OWNER_FILE),
    `process ${process.pid} on ${hostname()}, started ${new Date().toISOString()}`,
  )
  return lock
}

/** The same for who only looks, and writes nothing into the folder: where no process has been yet there is nothing to lock. */
export function lockFolderToLook(dataDir: string): { release: () => void } {
  return existsSync(path.join(dataDir, LOCK_FILE)) ? holdLock(dataDir, TO_SERVE) : { release: () => undefined }
}

function holdLock(dataDir: string, cure: string): { release: () => void } {
  const lock = openLock(path.join(dataDir, LOCK_FILE))
  if (lock === undefined) throw new FolderInUseError(dataDir, readOwner(path.join(dataDir, OWNER_FILE)), cure)
  let held = true
  return {
    release() {
      if (held) lock.close()
      held = false
    },
  }
}

/** The open lock, or undefined when another process has it. */
function openLock(lockFile: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(lockFile)
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
    return lock
  } catch (thrown) {
    lock?.close()
    const error = asError(thrown)
    if ('errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    const why = whyNotOurs(path.dirname(lockFile), [LOCK_FILE]) ?? `${lockFile}: ${error.message}.`
    throw new ConfigError([`DATA_DIR cannot be locked: ${why}`], { cause: error })
  }
}

function readOwner(ownerFile: string): string {
  try {
    return readFileSync(ownerFile, 'utf8').trim() || 'another process'
  } catch {
    return 'another process'
  }
}
