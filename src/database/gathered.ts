import type { Database, Queryable } from './database.ts'
import { type BatchWeight, MicroBatch } from './micro-batch.ts'

/** Statements or transactions of one kind at the same time, on a server. */
const BATCHES_AT_ONCE = 2

/** Answers for each key, in their order, by one statement. */
type Read<Key, Found> = (db: Queryable, keys: readonly Key[]) => Promise<readonly Found[]>

/** A batch of each database: what is done together at the same time, with a weight where the items have a size. */
export function batchOfEach<Db extends Queryable, Item, Result>(
  store: (db: Db, items: readonly Item[]) => Promise<readonly Result[]>,
  weight?: BatchWeight<Item>,
): (db: Db) => MicroBatch<Item, Result> {
  const batches = new WeakMap<Db, MicroBatch<Item, Result>>()
  return (db) => {
    const known = batches.get(db)
    if (known !== undefined) return known
    const batch = new MicroBatch<Item, Result>({
      store: (items) => store(db, items),
      concurrency: isDatabase(db) && db.kind === 'server' ? BATCHES_AT_ONCE : 1,
      weight,
      failsTogether: !isDatabase(db),
    })
    batches.set(db, batch)
    return batch
  }
}

/** Transactions in which look-ups are shared. */
const sharing = new WeakSet<Queryable>()

/**
 * A look-up that concurrent requests share: while one statement is on its way those who ask gather, and the next one answers
 * them all. Anyone who finds nobody waiting is answered at once. Each sees everything that was committed before they asked, for
 * the statement that answers them begins after that. Inside of a transaction only those share one that `sharingLookUps` gave.
 */
export function gathered<Key, Found>(read: Read<Key, Found>): (db: Queryable, key: Key) => Promise<Found> {
  const batchOf = batchOfEach(read)
  return async (db, key) => {
    if (isDatabase(db) || sharing.has(db)) return batchOf(db).add(key)
    const [found] = await read(db, [key])
    return found as Found
  }
}

/** The same transaction, for work that looks something up for many at once: their look-ups share statements. */
export function sharingLookUps<Db extends Queryable>(transaction: Db): Db {
  const shared = { ...transaction }
  sharing.add(shared)
  return shared
}

export function isDatabase(db: Queryable): db is Database {
  return 'transaction' in db
}
