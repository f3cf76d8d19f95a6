import type { Database } from './database.ts'
import { type BatchWeight, MicroBatch } from './micro-batch.ts'

/** Of one name, on a server: with one on its way, and one being made. */
const BATCHES_AT_ONCE = 2

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
    this.#options = { concurrency: hasOneTurn ? 1 : BATCHES_AT_ONCE, hasOneTurn }
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
