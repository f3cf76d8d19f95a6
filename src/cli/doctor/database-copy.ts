import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FileCopier, measureFiles } from '../../copy-files.ts'
import { WATERMARK_FILE } from '../../database/embedded/watermark.ts'
import { DiskRoom } from '../../disk-room.ts'

const DATABASE = 'database'
/** What stays free where the copy goes: the engine writes into it when it opens it. */
const ROOM_BYTES = 256 * 1024 * 1024

/** A copy of the embedded database in the system's folder for temporary files, without the keys to its secrets. */
interface DatabaseCopy {
  /** The data folder that the copy is in. */
  dataDir: string
  remove(): void
}

/**
 * Copies the database of a data folder that nobody uses: the engine writes into the folder that it opens. Undefined when there
 * is none. Throws a NoRoomError when the copy has no room.
 */
export async function copyToLook(dataDir: string): Promise<DatabaseCopy | undefined> {
  const source = path.join(dataDir, DATABASE)
  if (!existsSync(source)) return undefined
  new DiskRoom(tmpdir(), ROOM_BYTES).require(await measureFiles(source))
  const folder = mkdtempSync(path.join(tmpdir(), 'connect-doctor-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const stop = removeOnSignal(remove)
  const removed = (): void => {
    stop()
    remove()
  }
  try {
    const copier = new FileCopier({ bytesFree: ROOM_BYTES })
    await copier.folder(source, path.join(folder, DATABASE))
    await copier.file(path.join(dataDir, WATERMARK_FILE), path.join(folder, WATERMARK_FILE))
    return { dataDir: folder, remove: removed }
  } catch (error) {
    removed()
    throw error
  }
}

/** Anyone who presses Ctrl-C leaves no records behind either. */
function removeOnSignal(remove: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const end = (): void => {
    remove()
    process.exit(1)
  }
  for (const signal of signals) process.once(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}
