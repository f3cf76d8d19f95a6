import { type SQL, sql } from '../database/drizzle.ts'
import { RECENT_ID } from '../database/server/look-everywhere.ts'

/** Less than the shortest month, by as much as ids of a month may begin late. */
const RECENT_DAYS = 20
const DAY_MS = 86_400_000

/**
 * Whether a row of the ledger is one that may be meant by what is reported now; for look-ups by what a provider calls it. In a ledger
 * that is cut into months (docs/ledger-in-months.md) they then read the newest of these, this month and the one before, and the planner
 * knows. In a whole one it is always so. What turns out to be about something older begins again and looks everywhere.
 */
export function isRecent(alias: string): SQL {
  return sql`${sql.identifier(alias)}.id >= ${sql.raw(RECENT_ID)}`
}

/** Whether what began at a time, in milliseconds, may be older than what `isRecent` finds; so may what began nobody knows when. */
export function mayBeOlder(beganAtMs: number | undefined, now: Date): boolean {
  return beganAtMs === undefined || beganAtMs < now.getTime() - RECENT_DAYS * DAY_MS
}
