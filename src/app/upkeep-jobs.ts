import type { Database } from '../database/database.ts'
import type { JobKind } from '../jobs/queue.ts'
import type { Platform } from '../platform/access/env.ts'
import { CLEAN_UP_SECONDS_MAX, cleanUp } from '../platform/records/clean-up.ts'

/** Time for the statement that is under way when a clean-up's time is over. */
const CLEAN_UP_MARGIN_SECONDS = 120

/** The jobs that keep the database from growing for ever. */
export function upkeepJobs(db: Database, platform: Platform): JobKind[] {
  const retried = { attemptsMax: 3, retryDelaySeconds: 60 }
  // Every hour: what a night would have to remove at once is spread over the day.
  const cleaning: JobKind = {
    name: 'clean-up',
    cron: '17 * * * *',
    ...retried,
    expireSeconds: CLEAN_UP_SECONDS_MAX + CLEAN_UP_MARGIN_SECONDS,
    work: () => cleanUp(db, platform),
  }
  if (db.kind === 'server') return [cleaning]
  const work = async (): Promise<void> => void (await db.lookAfterTables())
  return [cleaning, { name: 'look-after-tables', cron: '*/5 * * * *', ...retried, work }]
}
