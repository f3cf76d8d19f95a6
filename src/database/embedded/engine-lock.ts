import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

const LOCK_FILE = 'engine.lock'
/** An engine whose service is gone ends at once; on a machine that stands still it may take longer. */
const WAIT_MS = 20_000
const LOOK_EVERY_MS = 20
/** As long as the process lives. */
let held: DatabaseSync | undefined

/**
 * Has at most one engine in the data folder, held for the life of this process: the service's own lock on the folder ends with the
 * service, and its engine may take a moment longer.
 */
export async function lockEngine(dataDir: string): Promise<void> {
  const end = performance.now() + WAIT_MS
  while (held === undefined) {
    const lock = new DatabaseSync(path.join(dataDir, LOCK_FILE))
    try {
      lock.exec('pragma locking_mode = exclusive; begin exclusive')
      held = lock
    } catch (thrown) {
      lock.close()
      if (performance.now() > end) {
        throw new Error(`another engine has the database in ${dataDir} open`, { cause: thrown })
      }
      await delay(LOOK_EVERY_MS)
    }
  }
}
