/** How long one statement of an API call may take on a server, waiting for locks included. */
export const API_STATEMENT_TIMEOUT_MS = 5_000
/** How long an API call waits for its turn. */
const API_WAIT_MS = 10_000
/** The part of a server's connections that API calls may have; the rest is for webhooks and jobs. */
const API_PART = 0.5

/** The share of API calls in a server's connections. */
export function apiShareOf(poolSize: number): Share {
  return new Share(Math.max(1, Math.floor(poolSize * API_PART)))
}

/** An API call waited too long for its turn, because others before it take long. */
export class NoTurnError extends Error {
  constructor() {
    super(`no turn came within ${API_WAIT_MS} ms`)
    this.name = 'NoTurnError'
  }
}

/** Lets only so many through at the same time; the others wait in their order, and give up after a while. */
export class Share {
  readonly #waiting = new Set<() => void>()
  readonly #waitMs: number
  #free: number

  constructor(places: number, waitMs: number = API_WAIT_MS) {
    this.#free = places
    this.#waitMs = waitMs
  }

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.#waiting.delete(enter)
      reject(new NoTurnError())
    }, this.#waitMs)
    const enter = (): void => {
      clearTimeout(timer)
      resolve()
    }
    this.#waiting.add(enter)
    await promise
  }

  /** Anyone who has waited longest takes the place over. */
  #leave(): void {
    for (const enter of this.#waiting) {
      this.#waiting.delete(enter)
      enter()
      return
    }
    this.#free += 1
  }
}
