import path from 'node:path'
import { DiskRoom } from '../../disk-room.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { drainSpool } from './drain-spool.ts'
import { Spool } from './spool.ts'
import type { KeyedDelivery } from './stored-delivery.ts'

/** How often what waits on disk is tried again. */
const DRAIN_EVERY_MS = 2_000
/** Bytes that stay free where deliveries wait, so that a full disk there harms nothing else. */
const ROOM_BYTES = 32 * 1024 * 1024

interface DrainParts {
  log: Logger
  /** Stores one delivery; those of one batch are stored together. */
  store(delivery: KeyedDelivery): Promise<unknown>
  /** Some were stored. */
  onStored(): void
}

/**
 * Deliveries that wait on this machine's disk while the database is unavailable, and are stored as soon as it takes them. Also
 * a process that does not work on due deliveries empties its own disk.
 */
export class WaitingOnDisk {
  /** The disk that they wait on. */
  readonly room: DiskRoom
  readonly #spool: Spool
  readonly #parts: DrainParts
  /** At its start a process cannot know whether an earlier one has left deliveries on disk. */
  #mayWait = true
  #draining: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(dataDir: string, parts: DrainParts) {
    this.room = new DiskRoom(path.join(dataDir, 'spool'), ROOM_BYTES)
    this.#spool = new Spool(this.room)
    this.#parts = parts
  }

  /** Resolves when the delivery is safe on disk; throws when it is not. */
  async put(delivery: KeyedDelivery): Promise<void> {
    await this.#spool.put(JSON.stringify({ ...delivery, read: undefined }))
    this.#mayWait = true
    this.#drainLater()
  }

  /** Stores what waits; what cannot be stored yet stays there. */
  drain(): Promise<void> {
    this.#draining ??= this.#drainNow().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  /** The same without waiting for it, when there may be any. */
  drainSoon(): void {
    if (this.#mayWait) void this.drain()
  }

  measure(): ReturnType<Spool['measure']> {
    return this.#spool.measure()
  }

  /** Removes every delivery that fits, and gives how many; what is being stored meanwhile is found in the database. */
  async removeFitting(fits: (text: string) => boolean): Promise<number> {
    await this.#draining
    return this.#spool.removeFitting(fits)
  }

  /** Removes what processes that died left half-written. */
  async removeLeftovers(): Promise<void> {
    await this.#spool.removeLeftovers().catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#draining
  }

  async #drainNow(): Promise<void> {
    try {
      this.#mayWait = false
      const { log, store } = this.#parts
      const stored = await drainSpool({ spool: this.#spool, log, store })
      if (stored > 0) queueMicrotask(() => this.#parts.onStored())
    } catch (error) {
      const { log } = this.#parts
      log.warn({ err: asError(error) }, 'deliveries on disk cannot be stored yet; they will be looked at again')
      this.#mayWait = true
      this.#drainLater()
    }
  }

  #drainLater(): void {
    if (this.#isStopped) return
    // One at a time: every look that finds the database away comes here too.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (!this.#isStopped) this.drainSoon()
    }, DRAIN_EVERY_MS).unref()
  }
}
