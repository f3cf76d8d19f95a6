import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DiskRoom, isDiskTrouble } from '../../disk-room.ts'

/** Bytes that stay free where files are stored: on the disk of the embedded database, enough for that to write on. */
const MEDIA_ROOM_BYTES = 96 * 1024 * 1024
const REFERENCE = /^[0-9a-f]{2}\/[0-9a-f]{32}\.[a-z0-9]{2,4}$/
const NAME_BYTES = 16
/** Below the store: what is still arriving. */
const INCOMING = 'incoming'
/** No delivery takes this long: what is older was left by a process that died in the middle of one. */
const INCOMING_AGE_MAX_MS = 3_600_000

/** What the system says when the folder of the store, or what it is mounted on, has gone or is something else (errno(3)). */
const GONE_CODES: readonly unknown[] = ['ENOENT', 'EEXIST', 'EISDIR', 'ELOOP']

/** The store is not there: that says nothing of the file. */
class MediaStoreGoneError extends Error {
  override readonly name = 'MediaStoreGoneError'
  readonly code = 'ENODEV'
}

/** Audio and attachments on disk, found by references that say nothing of the record. Several processes share one folder (MEDIA_DIR). */
export class MediaStore {
  readonly #folder: string
  /** The disk that audio is stored on. */
  readonly room: DiskRoom
  #swept: Promise<void> | undefined
  /** Bytes of files that are still to arrive. */
  #expected = 0

  constructor(folder: string) {
    this.#folder = folder
    this.room = new DiskRoom(folder, MEDIA_ROOM_BYTES)
  }

  /** A new file below the store for bytes that are not accepted yet; the caller saves or discards it. */
  async reserve(
    extension: string,
  ): Promise<{ file: string; save: () => Promise<string>; discard: () => Promise<void> }> {
    const name = randomBytes(NAME_BYTES).toString('hex')
    const incoming = path.join(this.#folder, INCOMING)
    await asPlace(mkdir(incoming, { recursive: true, mode: 0o700 }))
    this.#swept ??= removeLeftovers(incoming).catch(() => undefined)
    const file = path.join(incoming, `${name}.${extension}`)
    const reference = `${name.slice(0, 2)}/${name}.${extension}`
    return {
      file,
      save: async () => {
        const target = path.join(this.#folder, reference)
        await asPlace(mkdir(path.dirname(target), { recursive: true, mode: 0o700 }))
        await asPlace(rename(file, target))
        return reference
      },
      discard: () => rm(file, { force: true }),
    }
  }

  /** Keeps room for a file that is still to arrive, beside that of others; gives what gives it back. Throws when there is none. */
  expect(bytes: number): () => void {
    this.room.require(this.#expected + bytes)
    let held = bytes
    this.#expected += held
    return () => {
      this.#expected -= held
      held = 0
    }
  }

  /** Stores a stream and gives its reference once it is safe on disk; nothing is left behind when the stream fails. */
  async store(source: Readable, extension: string): Promise<string> {
    // A source may fail before its file is open. The error is met below; without a listener by then it would end the process.
    source.on('error', () => undefined)
    try {
      this.room.require()
      const reference = await this.#store(source, extension)
      this.room.writes.markWritten()
      return reference
    } catch (error) {
      if (isDiskTrouble(error)) this.room.writes.markFailed()
      throw error
    }
  }

  async #store(source: Readable, extension: string): Promise<string> {
    const reserved = await this.reserve(extension)
    try {
      await asPlace(pipeline(source, createWriteStream(reserved.file, { mode: 0o600, flush: true })))
      return await reserved.save()
    } catch (error) {
      await reserved.discard()
      throw error
    }
  }

  /** How many bytes are stored; undefined when there are none. */
  async measure(reference: string): Promise<number | undefined> {
    const file = this.#fileOf(reference)
    const found = file === undefined ? undefined : await stat(file).catch(() => undefined)
    return found?.size
  }

  /** The stored bytes, or part of them; undefined when there are none. */
  async open(
    reference: string,
    range?: { start: number; end: number },
  ): Promise<{ stream: Readable; bytes: number } | undefined> {
    const file = this.#fileOf(reference)
    const found = file === undefined ? undefined : await stat(file).catch(() => undefined)
    if (file === undefined || found === undefined) return undefined
    return { stream: createReadStream(file, range), bytes: found.size }
  }

  /** References of what is stored since before then, some at a time; half-written files of processes that died go. */
  async *list({ before, atOnce }: { before: Date; atOnce: number }): AsyncGenerator<string[]> {
    await removeLeftovers(path.join(this.#folder, INCOMING)).catch(() => undefined)
    let found: string[] = []
    for await (const { reference, mtimeMs } of this.#files()) {
      if (mtimeMs < before.getTime()) found.push(reference)
      if (found.length < atOnce) continue
      yield found
      found = []
    }
    if (found.length > 0) yield found
  }

  async *#files(): AsyncGenerator<{ reference: string; mtimeMs: number }> {
    for (const folder of await readdir(this.#folder).catch(() => [])) {
      for (const name of await readdir(path.join(this.#folder, folder)).catch(() => [])) {
        const reference = `${folder}/${name}`
        const file = this.#fileOf(reference)
        const stats = file === undefined ? undefined : await stat(file).catch(() => undefined)
        if (stats !== undefined) yield { reference, mtimeMs: stats.mtimeMs }
      }
    }
  }

  async remove(reference: string): Promise<void> {
    const file = this.#fileOf(reference)
    if (file !== undefined) await rm(file, { force: true })
  }

  #fileOf(reference: string): string | undefined {
    return REFERENCE.test(reference) ? path.join(this.#folder, reference) : undefined
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs > INCOMING_AGE_MAX_MS) await rm(file, { force: true })
  }
}

/** What the work comes to; of a store that is gone an error that says so, which a delivery waits for. */
async function asPlace<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const isOfSystem =
      error instanceof Error && 'syscall' in error && 'code' in error && GONE_CODES.includes(error.code)
    throw isOfSystem ? new MediaStoreGoneError(error.message, { cause: error }) : error
  }
}
