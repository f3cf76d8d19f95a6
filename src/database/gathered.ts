import type { Database, Queryable } from './database.ts'
import { type BatchWeight, MicroBatch } from './micro-batch.ts'

/** Statements or transactions of one kind at the same time, on a server. */
const BATCHES_AT_ONCE = 2

/** Answers for each key, in their order, by one statement. */
type Read<Key, Found> = (db: Queryable, keys: readonly Key[]) => Promise<readonly Found[]>

/** A batch of each database: what is done together at the same time, with a weight where the items have a size. */
export function batchOfEach<Item, Result>(
  store: (db: Database, items: readonly Item[]) => Promise<readonly Result[]>,
  weight?: BatchWeight<Item>,
): (db: Database) => MicroBatch<Item, Result> {
  const batches = new WeakMap<Database, MicroBatch<Item, Result>>()
  return (db) => {
    const known = batches.get(db)
    if (known !== undefined) return known
    const batch = new MicroBatch<Item, Result>({
      store: (items) => store(db, items),
      concurrency: db.kind === 'embedded' ? 1 : BATCHES_AT_ONCE,
      weight,
    })
    batches.set(db, batch)
    return batch
  }
}

/**
 * A look-up that concurrent requests share: while one statement is on its way those who ask gather, and the next one answers
 * them all. Whoever finds nobody waiting is answered at once. Each sees everything that was committed before they asked, for
 * the statement that answers them begins after that. Inside of a transaction nothing is shared.
 */
export function gathered<Key, Found>(read: Read<Key, Found>): (db: Queryable, key: Key) => Promise<Found> {
  const batchOf = batchOfEach(read)
  return async (db, key) => {
    if (isDatabase(db)) return batchOf(db).add(key)
    const [found] = await read(db, [key])
    return found as Found
  }
}

export function isDatabase(db: Queryable): db is Database {
  return 'transaction' in db
}
