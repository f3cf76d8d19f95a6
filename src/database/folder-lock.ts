import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

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
  const lock = new DatabaseSync(lockFile)
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch {
    lock.close()
    throw new FolderInUseError(dataDir, readOwner(ownerFile))
  }
  writeFileSync(ownerFile, `process ${process.pid} on ${hostname()}, started ${new Date().toISOString()}`)
  let held = true
  return {
    release() {
      if (held) lock.close()
      held = false
    },
  }
}

function readOwner(ownerFile: string): string {
  try {
    return readFileSync(ownerFile, 'utf8').trim() || 'another process'
  } catch {
    return 'another process'
  }
}
