// The ledger in months, by the words of docs/ledger-in-months.md.
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { runAt, sqlOfPage } from './sql-of-page.ts'

const [CUT = '', MONTHLY = '', GONE = ''] = sqlOfPage('docs/ledger-in-months.md')
const KEPT = "interval '24 months'"

/** The first moment of so many months, the last of which is the current one. */
export async function monthsUpToNow(db: Database, months: number): Promise<string[]> {
  const rows = await db.query<{ at: string }>(
    sql`select (date_trunc('month', now() at time zone 'utc') - make_interval(months => ago))::text as at
        from generate_series(${months - 1}::int, 0, -1) ago`,
  )
  return rows.map(({ at }) => at)
}

/** Cuts the ledger; what is there stays before the months that come after this moment. */
export async function cutLedger(db: Pick<Database, 'script'>, at: string): Promise<void> {
  await db.script(`begin; ${runAt(CUT, at)} commit`)
  await beginMonth(db, at)
}

/** What is run each day, as if it were this moment. */
export async function beginMonth(db: Pick<Database, 'script'>, at: string): Promise<void> {
  await db.script(runAt(MONTHLY, at))
}

/** Lets go what is older than so many months before the current one. */
export function letMonthsGo(months: number): string {
  return GONE.replace(KEPT, `interval '${months} months'`)
}

/** Cuts a ledger as if that had been done so many months ago, and every day since been run what is to be. */
export async function cutLedgerAgo(db: Database, months: number): Promise<void> {
  const [first = '', ...later] = await monthsUpToNow(db, months + 1)
  await cutLedger(db, first)
  for (const at of later) await beginMonth(db, at)
}
