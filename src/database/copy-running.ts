import path from 'node:path'
import type { RunningCopyOptions } from './database.ts'
import type { EngineSessions } from './embedded/engine-sessions.ts'
import { writeWatermark } from './embedded/watermark.ts'
import { EngineCopy } from './engine-copy.ts'

/** Looks at the engine's files before it is held: the first copies everything, the others what changed meanwhile. */
const LOOKS_MAX = 4
/** So little is copied within a moment, so it may as well be copied while the engine is held. */
const HELD_BYTES_FEW = 32 * 1024 * 1024
const CHECKPOINT = 'checkpoint'
/** The files of the log that a start from the last checkpoint reads, and how far the log is. */
const LOG = `select redo_wal_file as first, pg_walfile_name(pg_current_wal_insert_lsn()) as last,
    pg_current_wal_insert_lsn()::text as at from pg_control_checkpoint()`

/**
 * Copies the engine's folder and its watermark into `target` while the engine runs. Most is copied beside it; then nobody gets
 * at it while the rest is, so that the copy is that of one moment (docs/decisions/0017). Gives how long that was.
 */
export async function copyRunningEngine(
  { sessions, folder }: { sessions: EngineSessions; folder: string },
  target: string,
  { copier, onStep, whileHeld }: RunningCopyOptions,
): Promise<{ heldMs: number }> {
  const copy = new EngineCopy({ from: folder, to: path.join(target, path.basename(folder)), copier })
  for (let look = 1, bytes = Number.POSITIVE_INFINITY; look <= LOOKS_MAX && bytes > HELD_BYTES_FEW; look += 1) {
    // What the engine has only in memory is written first: later there is less to write.
    await sessions.script(CHECKPOINT)
    bytes = await copy.copyChanges()
  }
  onStep('holding the database')
  const heldMs = await sessions.apart(async (client) => {
    const begun = performance.now()
    await client.query(CHECKPOINT)
    const {
      rows: [log],
    } = await client.query<{ first: string; last: string; at: string }>(LOG)
    if (log === undefined) throw new Error('the embedded database does not say how far its log is')
    await copy.copyChanges()
    await copy.copyLog(log)
    writeWatermark(target, log.at)
    await whileHeld()
    return performance.now() - begun
  })
  return { heldMs: Math.round(heldMs) }
}
