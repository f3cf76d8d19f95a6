import { statfsSync } from 'node:fs'
import path from 'node:path'

/** How old an answer of the file system may be: asking takes microseconds, but there are thousands of writes a second. */
const LOOK_EVERY_MS = 50
const MEGABYTE = 1024 ** 2
/** How long a failed write speaks of the next one. */
const FAILING_MS = 60_000

/**
 * What the file system says of a disk that cannot be written to: full, over its quota, read-only, broken, closed to us, or gone, as
 * one of the network is; or no more open files (errno(3)).
 */
const DISK_CODES: ReadonlySet<unknown> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM', 'EBUSY'],
  ...['ENOTDIR', 'ESTALE', 'ENODEV', 'ENXIO', 'ENOTCONN', 'EHOSTDOWN', 'EREMOTEIO', 'ENOLINK'],
])

/** There is too little room left to write safely. Nothing was written. */
export class NoRoomError extends Error {
  readonly code = 'ENOSPC'

  constructor(sentence: string) {
    super(sentence)
    this.name = 'NoRoomError'
  }
}

/** True for what a disk says that cannot be written to at the moment, so that the same write may succeed later. */
export function isDiskTrouble(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK_CODES.has(error.code)
}

/** How the writes of one place go, for those who watch. */
export class WriteRecord {
  #lastFailed: Date | undefined
  #failures = 0
  #isFailing = false

  /** When a write failed last, also when later ones did not. */
  get lastFailed(): Date | undefined {
    return this.#lastFailed
  }

  get failures(): number {
    return this.#failures
  }

  /** Whether the last write failed, and not long ago: without another one nobody knows whether the next would. */
  get isFailing(): boolean {
    return this.#isFailing && Date.now() - (this.#lastFailed?.getTime() ?? 0) < FAILING_MS
  }

  markFailed(): void {
    this.#lastFailed = new Date()
    this.#failures += 1
    this.#isFailing = true
  }

  markWritten(): void {
    this.#isFailing = false
  }
}

/**
 * The disk under a folder: how much room it has, and whether that is enough to write at all. Writing stops while there
 * is still some, because what happens on a disk that is really full cannot be foreseen.
 */
export class DiskRoom {
  readonly folder: string
  /** Free bytes below which nothing is written. */
  readonly bytesMin: number
  #free = Number.POSITIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  readonly writes = new WriteRecord()

  constructor(folder: string, bytesMin: number) {
    this.folder = folder
    this.bytesMin = bytesMin
  }

  /** Bytes that may still be written by this process's user; infinite when the file system does not tell. */
  get freeBytes(): number {
    const now = performance.now()
    if (now - this.#lookedAt > LOOK_EVERY_MS) {
      this.#lookedAt = now
      this.#free = readFree(this.folder)
    }
    return this.#free
  }

  /** Whether so many bytes more would leave less than the limit. */
  isShort(bytes = 0): boolean {
    return this.freeBytes - bytes < this.bytesMin
  }

  /** Throws a NoRoomError that says where room is missing, when so many bytes more would leave less than the limit. */
  require(bytes = 0): void {
    if (!this.isShort(bytes)) return
    const [free, wanted] = [this.freeBytes, this.bytesMin + bytes].map((each) => Math.round(each / MEGABYTE))
    throw new NoRoomError(
      `There are ${free} MB free at ${this.folder}, and it takes ${wanted} MB to write there safely.`,
    )
  }
}

/** Of a folder that is not there yet: where it will be made. */
function readFree(folder: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder)
    // A file system that tells no sizes, as some of networks do, has no blocks at all.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
  } catch {
    const parent = path.dirname(folder)
    return parent === folder ? Number.POSITIVE_INFINITY : readFree(parent)
  }
}
