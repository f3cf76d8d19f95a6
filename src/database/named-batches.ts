import type { Database } from './database.ts'
import { MicroBatch } from './micro-batch.ts'

/** Of one name, on a server: with one on its way, and one being made. */
const BATCHES_AT_ONCE = 2

/** Batches by their name: while one is on its way, items of the same name gather for the next one. */
export class NamedBatches<Item, Result> {
  readonly #batches = new Map<string, MicroBatch<Item, Result>>()
  readonly #concurrency: number
  readonly #store: (items: readonly Item[]) => Promise<readonly Result[]>

  /** `store` answers items of one name, in their order. */
  constructor(kind: Database['kind'], store: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#concurrency = kind === 'embedded' ? 1 : BATCHES_AT_ONCE
    this.#store = store
  }

  add(name: string, item: Item): Promise<Result> {
    const batch = this.#batches.get(name) ?? new MicroBatch({ store: this.#store, concurrency: this.#concurrency })
    this.#batches.set(name, batch)
    return batch.add(item)
  }
}
