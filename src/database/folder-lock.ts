import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from '../config.ts'
import { asError } from '../errors.ts'

const SQLITE_BUSY = 5

/** Another process has the data folder open. */
export class FolderInUseError extends Error {
  constructor(dataDir: string, owner: string) {
    super(
      `The data folder ${dataDir} is in use by ${owner}. ` +
        'The embedded database serves one process at a time: stop that one, choose another DATA_DIR, ' +
        'or set DATABASE_URL to a PostgreSQL server.',
    )
    this.name = 'FolderInUseError'
  }
}

/**
 * Takes the data folder for this process, or throws FolderInUseError naming the process that has it.
 * The lock is SQLite's exclusive transaction, an advisory lock that the operating system drops when its process ends
 * however it ends, so there is no stale lock after `kill -9` and no race between two processes that both start.
 */
export function lockFolder(dataDir: string): { release: () => void } {
  const lockFile = path.join(dataDir, 'connect.lock')
  const ownerFile = path.join(dataDir, 'connect.lock.owner')
  const lock = takeLock(lockFile)
  if (lock === undefined) throw new FolderInUseError(dataDir, readOwner(ownerFile))
  writeFileSync(ownerFile, `process ${process.pid} on ${hostname()}, started ${new Date().toISOString()}`)
  let held = true
  return {
    release() {
      if (held) lock.close()
      held = false
    },
  }
}

/** The open lock, or undefined when another process has it. */
function takeLock(lockFile: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(lockFile)
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
    return lock
  } catch (thrown) {
    lock?.close()
    const error = asError(thrown)
    if ('errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    throw new ConfigError([`DATA_DIR cannot be locked: ${lockFile}: ${error.message}.`], { cause: error })
  }
}

function readOwner(ownerFile: string): string {
  try {
    return readFileSync(ownerFile, 'utf8').trim() || 'another process'
  } catch {
    return 'another process'
  }
}
