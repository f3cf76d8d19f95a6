import { type Database, isUnavailable } from './database.ts'

/** Rows in one batch; more wait for the next one, which starts as soon as this one has committed. */
const BATCH_ROWS_MAX = 200
/** So long a batch that is smaller than the one on its way waits to go beside it: a statement of that one may wait for a lock. */
const BESIDE_AFTER_MS = 25
/** Batches of one name at the same time, on a server: one on its way, and one being made. */
const BATCHES_OF_A_NAME = 2

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** What an item weighs, and how much a batch of several may weigh, where a large statement would hold others up. */
export interface BatchWeight<Item> {
  of(item: Item): number
  max: number
}

interface MicroBatchOptions<Item, Result> {
  /** Stores all items in one statement and answers their results in the same order. */
  store(items: readonly Item[]): Promise<readonly Result[]>
  /** Batches that may be under way at once: one on the embedded database, a few on a server. */
  concurrency: number
  weight?: BatchWeight<Item> | undefined
  /** Where nothing can be tried again after a failure, as inside of a transaction: all fail with it, at once. */
  failsTogether?: boolean
  /** Where all share one connection: who waits for the next batch has waited for this turn too, and does not wait for another. */
  hasOneTurn?: boolean
  /** How long a batch waits for more rows, where nobody waits for the first one. A full batch does not wait. */
  lingerMs?: number
}

/**
 * Gathers what concurrent requests want to store while the previous batch is being written, and stores it in one
 * statement. Each `add` resolves after its own row has committed. A batch that is refused is tried again in halves, and
 * those in halves again, so that a bad row fails its own request only, and one among 200 costs 17 statements at most; when
 * the database is unavailable, all that are left fail at once.
 */
export class MicroBatch<Item, Result> {
  readonly #options: MicroBatchOptions<Item, Result>
  #waiting: Waiting<Item, Result>[] = []
  /** With how many items each is on its way. */
  readonly #running = new Map<Promise<void>, number>()
  #isScheduled = false
  #isDraining = false
  #lingering: NodeJS.Timeout | undefined

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
    this.#isDraining = true
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      this.#schedule()
      if (this.#running.size > 0) await Promise.race(this.#running.keys())
      else await new Promise((resolve) => setImmediate(resolve))
    }
    this.#isDraining = false
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running.size >= this.#options.concurrency) return
    const { lingerMs } = this.#options
    if (this.#isDraining || this.#waiting.length >= BATCH_ROWS_MAX) this.#storeSoon()
    else if (lingerMs !== undefined) this.#lingering ??= setTimeout(() => this.#storeSoon(), lingerMs)
    else if (this.#isWorthIt()) this.#storeSoon()
    else this.#lingering ??= setTimeout(() => this.#storeSoon(), BESIDE_AFTER_MS)
  }

  /**
   * Whether enough wait to go beside what is on its way. When a large batch has ended, those who were answered come again one
   * after the other: the first of them would go alone, at the price of a whole transaction.
   */
  #isWorthIt(): boolean {
    return this.#waiting.length >= this.#share()
  }

  /**
   * How many may go now: all of them when nothing is on its way, else as many as make the batches equal. Unequal ones stay so:
   * those of the large one come back together.
   */
  #share(): number {
    if (this.#running.size === 0) return this.#waiting.length
    const underWay = this.#running.values().reduce((sum, count) => sum + count, 0)
    return Math.ceil((this.#waiting.length + underWay) / this.#options.concurrency)
  }

  #storeSoon(): void {
    clearTimeout(this.#lingering)
    this.#lingering = undefined
    if (this.#isScheduled || this.#running.size >= this.#options.concurrency) return
    this.#isScheduled = true
    // After the other requests of this turn of the event loop have added theirs.
    setImmediate(() => {
      this.#isScheduled = false
      const batch = this.#waiting.splice(0, this.#next())
      if (batch.length > 0) this.#begin(batch)
    })
  }

  /** How many of the waiting items go into the next batch. */
  #next(): number {
    const { weight } = this.#options
    const most = Math.min(BATCH_ROWS_MAX, this.#share())
    if (weight === undefined) return most
    let sum = 0
    const over = this.#waiting.slice(0, most).findIndex(({ item }, at) => {
      sum += weight.of(item)
      return at > 0 && sum > weight.max
    })
    return over === -1 ? most : over
  }

  #begin(batch: readonly Waiting<Item, Result>[]): void {
    const running = this.#store(batch).finally(() => {
      this.#running.delete(running)
      if (this.#waiting.length > 0) this.#schedule()
    })
    this.#running.set(running, batch.length)
    // Other batches may go beside this one.
    if (this.#waiting.length > 0) this.#schedule()
  }

  async #store(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const left = [batch]
    for (let part = left.pop(); part !== undefined; part = left.pop()) {
      const failure = await this.#attempt(part)
      if (failure === undefined) continue
      const { error } = failure
      const isAway = isUnavailable(error)
      if (isAway && this.#options.hasOneTurn === true) rejectAll(this.#waiting.splice(0), error)
      if (isAway || this.#options.failsTogether === true) return rejectAll([part, ...left].flat(), error)
      const middle = Math.ceil(part.length / 2)
      if (part.length === 1) rejectAll(part, error)
      else left.push(part.slice(middle), part.slice(0, middle))
    }
  }

  /** Stores them together; gives why that failed. */
  async #attempt(batch: readonly Waiting<Item, Result>[]): Promise<{ error: unknown } | undefined> {
    try {
      const results = await this.#options.store(batch.map((each) => each.item))
      for (const [at, each] of batch.entries()) each.resolve(results[at] as Result)
      return undefined
    } catch (error) {
      return { error }
    }
  }
}

function rejectAll(waiting: readonly Pick<Waiting<never, never>, 'reject'>[], error: unknown): void {
  for (const each of waiting) each.reject(error)
}

/** Batches by their name: while one is on its way, items of the same name gather for the next one. */
export class NamedBatches<Item, Result> {
  readonly #batches = new Map<string, MicroBatch<Item, Result>>()
  readonly #options: { concurrency: number; hasOneTurn: boolean }
  readonly #store: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #weight: BatchWeight<Item> | undefined

  /** `store` answers items of one name, in their order; a weight where the items have a size. */
  constructor(
    kind: Database['kind'],
    store: (items: readonly Item[]) => Promise<readonly Result[]>,
    weight?: BatchWeight<Item>,
  ) {
    const hasOneTurn = kind === 'embedded'
    this.#options = { concurrency: hasOneTurn ? 1 : BATCHES_OF_A_NAME, hasOneTurn }
    this.#store = store
    this.#weight = weight
  }

  add(name: string, item: Item): Promise<Result> {
    const known = this.#batches.get(name)
    if (known !== undefined) return known.add(item)
    const batch = new MicroBatch({ ...this.#options, store: this.#store, weight: this.#weight })
    this.#batches.set(name, batch)
    return batch.add(item)
  }

  /** Resolves when everything added so far has been stored or refused. */
  async drained(): Promise<void> {
    await Promise.all(this.#batches.values().map((batch) => batch.drained()))
  }
}
