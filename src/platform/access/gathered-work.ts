import { batchOfEach, isDatabase } from '../../database/gathered.ts'
import type { Env, GatheringEnv, OpenEnv } from './env.ts'

/** Does all of it in one transaction, and answers in the same order. */
type Work<Asked, Result> = (env: Env, asked: readonly Asked[]) => Promise<readonly Result[]>

/**
 * Work that concurrent requests share a transaction for: while one is on its way those who ask gather, and the next one takes
 * them all. Whoever finds nobody waiting is served at once. Each is answered after the commit that contains it; one that fails
 * is done again in halves, so that nobody fails for another. Inside of a transaction nothing is shared.
 *
 * All who share it work as the same user and with the settings of the process: it is for what voice agents ask, not people.
 */
export function gatheredWork<Asked, Result>(
  work: Work<Asked, Result>,
): (env: GatheringEnv, asked: Asked) => Promise<Result> {
  const batchOf = batchOfEach((_db, waiting: readonly { open: OpenEnv; asked: Asked }[]) => {
    const all = (env: Env) =>
      work(
        env,
        waiting.map(({ asked }) => asked),
      )
    return waiting[0]?.open(all) ?? Promise.resolve([])
  })
  return async ({ db, open }, asked) => {
    if (isDatabase(db)) return batchOf(db).add({ open, asked })
    const [result] = await open((env) => work(env, [asked]))
    return result as Result
  }
}
