import type { Database } from '../../database/database.ts'
import { batchOfEach, isDatabase } from '../../database/gathered.ts'
import type { Env, GatheringEnv, OpenEnv } from './env.ts'

/** Characters of what several ask for in one transaction: more would hold up those who asked for little. */
const TRANSACTION_CHARS_MAX = 256 * 1024

/** Does all of it in one transaction, and answers in the same order. */
type Work<Asked, Result> = (env: Env, asked: readonly Asked[]) => Promise<readonly Result[]>

interface Waiting<Asked> {
  open: OpenEnv
  asked: Asked
}

/**
 * Work that concurrent requests share a transaction for: while one is on its way those who ask gather, and the next one takes
 * them all, or as many as are not too long together. Anyone who finds nobody waiting is served at once. Each is answered after the
 * commit that contains it; one that fails is done again in halves, so that nobody fails for another. Inside of a transaction
 * nothing is shared.
 *
 * All who share it work as the same user and with the settings of the process: it is for what voice agents ask, not people.
 */
export function gatheredWork<Asked, Result>(
  charsOf: (asked: Asked) => number,
  work: Work<Asked, Result>,
): (env: GatheringEnv, asked: Asked) => Promise<Result> {
  const store = (_db: Database, waiting: readonly Waiting<Asked>[]): Promise<readonly Result[]> => {
    const all = (env: Env) =>
      work(
        env,
        waiting.map(({ asked }) => asked),
      )
    return waiting[0]?.open(all) ?? Promise.resolve([])
  }
  const batchOf = batchOfEach(store, { of: ({ asked }) => charsOf(asked), max: TRANSACTION_CHARS_MAX })
  return async ({ db, open }, asked) => {
    if (isDatabase(db)) return batchOf(db).add({ open, asked })
    const [result] = await open((env) => work(env, [asked]))
    return result as Result
  }
}
