import { setImmediate } from 'node:timers/promises'

/** So long calls of the API stand back at a stretch: people at their pages are slowed down, and not shut out. */
const STAND_BACK_MAX_MS = 1_000
/** Turns of the event loop in which a delivery that waits at its socket is read, with its body, and begins. */
const TURNS_TO_ARRIVE = 4

/**
 * Who goes first at the one engine there is. It takes turns in the order of asking, so that a slice of somebody's long search
 * would go between any two webhooks that wait, and each of them would wait for a slice: the search stands back until none does.
 */
export class Precedence {
  readonly #standingBack = new Set<() => void>()
  readonly #standBackMaxMs: number
  #ahead = 0

  constructor(standBackMaxMs: number = STAND_BACK_MAX_MS) {
    this.#standBackMaxMs = standBackMaxMs
  }

  /** Work that others stand back for. */
  async ahead<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#ahead += 1
    try {
      return await work()
    } finally {
      this.#ahead -= 1
      if (this.#ahead === 0) for (const goOn of this.#standingBack) goOn()
    }
  }

  /** Resolves when nobody is ahead, or after a while. */
  async standBack(): Promise<void> {
    // The engine answers without the event loop going round: what has arrived meanwhile is only read now.
    for (let turn = 0; turn < TURNS_TO_ARRIVE; turn += 1) await setImmediate()
    if (this.#ahead === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#standBackMaxMs)
    this.#standingBack.add(resolve)
    await promise
    clearTimeout(timer)
    this.#standingBack.delete(resolve)
  }
}
