import type { Database } from '../database/database.ts'
import { cleanUp } from '../deliveries/housekeeping.ts'
import type { JobKind } from '../jobs/queue.ts'
import type { Platform } from '../platform/env.ts'

/** The jobs that keep the database from growing for ever. */
export function upkeepJobs(db: Database, platform: Platform): JobKind[] {
  const retried = { attemptsMax: 3, retryDelaySeconds: 60 }
  const cleaning: JobKind = { name: 'clean-up', cron: '17 3 * * *', ...retried, work: () => cleanUp(db, platform) }
  if (db.kind === 'server') return [cleaning]
  const work = async (): Promise<void> => void (await db.lookAfterTables())
  return [cleaning, { name: 'look-after-tables', cron: '*/5 * * * *', ...retried, work }]
}
