import type { Database, Queryable } from './database.ts'
import { MicroBatch } from './micro-batch.ts'

/** Statements of one kind at the same time, on a server. */
const BATCHES_AT_ONCE = 2

/** Answers for each key, in their order, by one statement. */
type Read<Key, Found> = (db: Queryable, keys: readonly Key[]) => Promise<readonly Found[]>

/**
 * A look-up that concurrent requests share: while one statement is on its way those who ask gather, and the next one answers
 * them all. Whoever finds nobody waiting is answered at once. Each sees everything that was committed before they asked, for
 * the statement that answers them begins after that. Inside of a transaction nothing is shared.
 */
export function gathered<Key, Found>(read: Read<Key, Found>): (db: Queryable, key: Key) => Promise<Found> {
  const batches = new WeakMap<Database, MicroBatch<Key, Found>>()
  const batchOf = (db: Database): MicroBatch<Key, Found> => {
    const known = batches.get(db)
    if (known !== undefined) return known
    const batch = new MicroBatch<Key, Found>({
      store: (keys) => read(db, keys),
      concurrency: db.kind === 'embedded' ? 1 : BATCHES_AT_ONCE,
    })
    batches.set(db, batch)
    return batch
  }
  return async (db, key) => {
    if (isDatabase(db)) return batchOf(db).add(key)
    const [found] = await read(db, [key])
    return found as Found
  }
}

function isDatabase(db: Queryable): db is Database {
  return 'transaction' in db
}
