import { findRemains, saveAllRemains } from '../contacts/erasures.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import type { JobKind } from '../jobs/queue.ts'
import type { Platform } from '../platform/access/env.ts'
import { CLEAN_UP_SECONDS_MAX, cleanUp } from '../platform/records/clean-up.ts'
import { storedTime } from '../time.ts'

/** Time for the statement that is under way when a clean-up's time is over. */
const CLEAN_UP_MARGIN_SECONDS = 120

/** So long without a delivery it is a quiet time: a call that is being held brings reports more often. */
const QUIET_SECONDS = 60
const MS_PER_SECOND = 1_000

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
  const work = async (): Promise<void> => {
    const quiet = await isQuiet(db, platform.clock())
    await db.lookAfterTables({ isQuiet: quiet })
    if (quiet) await clearLater(db)
  }
  return [cleaning, { name: 'look-after-tables', cron: '*/5 * * * *', ...retried, work }]
}

/** Bytes of erased people in tables that could not be rewritten while calls came in. */
async function clearLater(db: Database): Promise<void> {
  const remains = await findRemains(db)
  if (remains.length > 0) await saveAllRemains(db, await db.clearRemains({ isQuiet: true, among: remains }))
}

/** Whether nobody has called for a while: then nobody will wait for what takes a second. */
async function isQuiet(db: Database, now: Date): Promise<boolean> {
  const since = storedTime(new Date(now.getTime() - QUIET_SECONDS * MS_PER_SECOND))
  const rows = await db.query(sql`select 1 from connect_delivery where received_at > ${since}::timestamp limit 1`)
  return rows.length === 0
}
