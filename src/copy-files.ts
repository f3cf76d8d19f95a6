import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { DiskRoom } from './disk-room.ts'

/** On file systems that share blocks between copies a copy takes neither time nor room; elsewhere it is a plain one. */
const CLONE_WHERE_POSSIBLE = constants.COPYFILE_FICLONE

interface CopierOptions {
  /** Bytes that stay free on the disk that is written to; without it the disk may be filled. */
  bytesFree?: number
  /** Stops it between two files. */
  signal?: AbortSignal
}

/**
 * Copies files one after the other, beside a process that changes them: what is deleted meanwhile is left out. Throws a
 * NoRoomError before a file that would leave too little room, and the signal's reason once that is aborted.
 */
export class FileCopier {
  readonly #bytesFree: number | undefined
  readonly #signal: AbortSignal | undefined

  constructor({ bytesFree, signal }: CopierOptions = {}) {
    this.#bytesFree = bytesFree
    this.#signal = signal
  }

  /** Copies one file over what is there; gives its bytes, 0 when it is gone. */
  async file(from: string, to: string): Promise<number> {
    this.#signal?.throwIfAborted()
    try {
      const { size } = await stat(from)
      // A look of its own for each file: others write to the same disk.
      if (this.#bytesFree !== undefined) new DiskRoom(path.dirname(to), this.#bytesFree).require(size)
      await copyFile(from, to, CLONE_WHERE_POSSIBLE)
      return size
    } catch (error) {
      if (isMissing(error) && !existsSync(from)) return 0
      throw error
    }
  }

  /** Copies what a folder holds, except what has one of these names. With `onlyNew`, files that are there stay as they are. */
  async folder(
    from: string,
    to: string,
    { except = [], onlyNew = false }: { except?: readonly string[]; onlyNew?: boolean } = {},
  ): Promise<void> {
    await mkdir(to, { recursive: true, mode: 0o700 })
    for (const name of await namesIn(from)) {
      if (except.includes(name)) continue
      const [source, target] = [path.join(from, name), path.join(to, name)]
      const found = await stat(source).catch(ignoreMissing)
      if (found?.isDirectory() === true) await this.folder(source, target, { onlyNew })
      else if (found?.isFile() === true && !(onlyNew && existsSync(target))) await this.file(source, target)
    }
  }

  /** Resolves when everything in the folder is safe from a power cut. */
  async sync(folder: string): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      this.#signal?.throwIfAborted()
      const place = path.join(folder, entry.name)
      await (entry.isDirectory() ? this.sync(place) : syncOne(place))
    }
    await syncOne(folder)
  }
}

/** How many bytes the files of a folder, or a file, have; 0 when there is none. Leaves out what has one of these names. */
export async function measureFiles(place: string, except: readonly string[] = []): Promise<number> {
  const found = await stat(place).catch(ignoreMissing)
  if (found === undefined || !found.isDirectory()) return found?.size ?? 0
  let bytes = 0
  for (const name of await namesIn(place)) {
    if (!except.includes(name)) bytes += await measureFiles(path.join(place, name), except)
  }
  return bytes
}

async function syncOne(place: string): Promise<void> {
  const opened = await open(place, 'r')
  await opened.sync().finally(() => opened.close())
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? []
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
