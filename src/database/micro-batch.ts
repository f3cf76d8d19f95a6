/** Rows in one batch; more wait for the next one, which starts as soon as this one has committed. */
export const BATCH_ROWS_MAX = 200

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface MicroBatchOptions<Item, Result> {
  /** Stores all items in one statement and answers their results in the same order. */
  store(items: readonly Item[]): Promise<readonly Result[]>
  /** Batches that may be under way at once: one on the embedded database, a few on a server. */
  concurrency: number
}

/**
 * Gathers what concurrent requests want to store while the previous batch is being written, and stores it in one
 * statement. Each `add` resolves after its own row has committed. When a batch fails it is tried again item by item,
 * so a bad row fails its own request only.
 */
export class MicroBatch<Item, Result> {
  readonly #options: MicroBatchOptions<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  #running = 0
  #isScheduled = false

  constructor(options: MicroBatchOptions<Item, Result>) {
    this.#options = options
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#schedule()
    })
  }

  /** How many items wait for their turn. */
  get size(): number {
    return this.#waiting.length
  }

  /** Resolves when everything added so far has been stored or refused. */
  async drained(): Promise<void> {
    while (this.#waiting.length > 0 || this.#running > 0) await new Promise((resolve) => setImmediate(resolve))
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running >= this.#options.concurrency) return
    this.#isScheduled = true
    // After the other requests of this turn of the event loop have added theirs.
    setImmediate(() => {
      this.#isScheduled = false
      void this.#storeNext()
    })
  }

  async #storeNext(): Promise<void> {
    const batch = this.#waiting.splice(0, BATCH_ROWS_MAX)
    if (batch.length === 0) return
    this.#running += 1
    try {
      await this.#store(batch)
    } finally {
      this.#running -= 1
      if (this.#waiting.length > 0) this.#schedule()
    }
  }

  async #store(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.store(batch.map((each) => each.item))
      for (const [at, each] of batch.entries()) each.resolve(results[at] as Result)
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else for (const each of batch) await this.#store([each])
    }
  }
}
