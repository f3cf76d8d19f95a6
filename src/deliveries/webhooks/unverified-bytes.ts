/** Bytes of bodies in memory whose sender is not known yet, in the whole process, beyond the first of each body. */
export const UNVERIFIED_MEMORY_BYTES_MAX = 64 * 1024 * 1024
/** The same on disk: two deliveries of the largest size at once, or thirty recordings of ten minutes. */
export const UNVERIFIED_DISK_BYTES_MAX = 512 * 1024 * 1024
/**
 * Bytes of each body that always find room, so that strangers with large bodies cannot turn away the reports of calls,
 * which are small. Connections are limited, and so is the sum of these.
 */
export const FREE_BYTES = 64 * 1024

/** Room for bytes that nobody has verified, shared by all requests of the process. */
export class Room {
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Bytes that are taken now. */
  get bytes(): number {
    return this.#bytes
  }

  /** A share of the room for one request; it takes nothing yet. */
  share(freeBytes = 0): Reservation {
    let given = 0
    let taken = 0
    return {
      claim: (bytes) => {
        given += bytes
        const wanted = Math.max(0, given - freeBytes) - taken
        if (this.#bytes + wanted > this.#bytesMax) return false
        taken += wanted
        this.#bytes += wanted
        return true
      },
      release: () => {
        this.#bytes -= taken
        given = 0
        taken = 0
      },
    }
  }
}

/** What one request holds of the room. */
export interface Reservation {
  /** Asks for room for so many more bytes; false when there is none. */
  claim(bytes: number): boolean
  /** Gives everything back: the sender is known now, or the bytes are gone. */
  release(): void
}
