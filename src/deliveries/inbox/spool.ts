import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { DiskRoom } from '../../disk-room.ts'

const NAME_BYTES = 8
const TIME_DIGITS = 15
const SUFFIX = '.json'
const PART_SUFFIX = '.part'
/** What a person has to look at: a file that is no delivery, and one that the database does not take. */
const ASIDE_SUFFIXES = ['.unreadable', '.refused'] as const
/** No file takes this long to be written: an older part was left by a process that died. */
const PART_AGE_MAX_MS = 3_600_000
/** Files, and bytes, that are read into memory at once. */
const BATCH_FILES_MAX = 100
const BATCH_BYTES_MAX = 16 * 1024 * 1024

export interface SpooledText {
  name: string
  text: string
}

/** Texts that wait on disk, oldest first, while the database is unavailable. */
export class Spool {
  readonly #room: DiskRoom

  constructor(room: DiskRoom) {
    this.#room = room
  }

  /** Keeps a text; resolves when it is safe on disk, throws when it is not. */
  async put(text: string): Promise<void> {
    try {
      await this.#put(text)
      this.#room.writes.markWritten()
    } catch (error) {
      this.#room.writes.markFailed()
      throw error
    }
  }

  async #put(text: string): Promise<void> {
    const { folder } = this.#room
    await mkdir(folder, { recursive: true, mode: 0o700 })
    this.#room.require(Buffer.byteLength(text))
    const name = `${String(Date.now()).padStart(TIME_DIGITS, '0')}-${randomBytes(NAME_BYTES).toString('hex')}`
    const fresh = path.join(folder, name + PART_SUFFIX)
    const file = await open(fresh, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } catch (error) {
      await rm(fresh, { force: true })
      throw error
    } finally {
      await file.close()
    }
    await rename(fresh, path.join(folder, name + SUFFIX))
    await this.#syncFolder()
  }

  /** Everything that waits, oldest first, so many at a time as memory should hold. */
  async *batches(): AsyncGenerator<SpooledText[]> {
    let batch: SpooledText[] = []
    let bytes = 0
    for (const name of await this.#names()) {
      if (!name.endsWith(SUFFIX)) continue
      const text = await readFile(path.join(this.#room.folder, name), 'utf8').catch(() => undefined)
      // Another look takes what this one cannot open; it is not to hold up the others.
      if (text === undefined) continue
      batch.push({ name, text })
      bytes += text.length
      if (batch.length < BATCH_FILES_MAX && bytes < BATCH_BYTES_MAX) continue
      yield batch
      batch = []
      bytes = 0
    }
    if (batch.length > 0) yield batch
  }

  /** Forgets a text that is safe elsewhere. */
  remove(name: string): Promise<void> {
    return rm(path.join(this.#room.folder, name), { force: true })
  }

  /** Keeps a text for a person, where it holds nothing up. */
  async setAside(name: string, suffix: (typeof ASIDE_SUFFIXES)[number]): Promise<void> {
    const file = path.join(this.#room.folder, name)
    await rename(file, file + suffix)
  }

  /** Removes every text that fits, also those that were set aside and half-written ones; gives how many. */
  async removeFitting(fits: (text: string) => boolean): Promise<number> {
    let removed = 0
    for (const name of await this.#names()) {
      const text = await readFile(path.join(this.#room.folder, name), 'utf8').catch(() => undefined)
      if (text === undefined || !fits(text)) continue
      await this.remove(name)
      removed += 1
    }
    return removed
  }

  /** How many texts wait, since when the first of them does, and how many were set aside. */
  async measure(): Promise<{ waiting: number; oldest: Date | undefined; aside: number }> {
    const names = await this.#names()
    const waiting = names.filter((name) => name.endsWith(SUFFIX))
    const time = Number.parseInt(waiting[0] ?? '', 10)
    return {
      waiting: waiting.length,
      oldest: Number.isNaN(time) ? undefined : new Date(time),
      aside: names.filter((name) => ASIDE_SUFFIXES.some((suffix) => name.endsWith(suffix))).length,
    }
  }

  /** Removes what processes that died left half-written. */
  async removeLeftovers(): Promise<void> {
    for (const name of await this.#names()) {
      if (!name.endsWith(PART_SUFFIX)) continue
      const file = path.join(this.#room.folder, name)
      const { mtimeMs } = await stat(file)
      if (Date.now() - mtimeMs > PART_AGE_MAX_MS) await rm(file, { force: true })
    }
  }

  async #names(): Promise<string[]> {
    try {
      return (await readdir(this.#room.folder)).sort()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  /** Without it a power cut may take the name of a file whose bytes are safe. */
  async #syncFolder(): Promise<void> {
    const folder = await open(this.#room.folder, 'r')
    await folder.sync().finally(() => folder.close())
  }
}
