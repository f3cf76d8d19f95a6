// The ledger in months, by the words of docs/ledger-in-months.md.
import pg from 'pg'
import type { Database } from '../src/database/database.ts'
import { sql } from '../src/database/drizzle.ts'
import { cutLedgerAgo, letMonthsGo } from '../tests/support/ledger-in-months.ts'

/** Cuts a ledger with nothing in it into months; gives the first id of each, the last of which is the current one. */
export async function cutLedger(db: Database, months: number): Promise<number[]> {
  await cutLedgerAgo(db, months)
  const filled = await db.query<{ first_id: number }>(
    sql`select connect_month_id((now() at time zone 'utc') - make_interval(months => ago)) as first_id
        from generate_series(${months - 1}::int, 0, -1) ago`,
  )
  return filled.map(({ first_id: id }) => id)
}

/** Lets the oldest of the months go; gives what the server says of it. */
export async function dropOldestMonth(url: string, months: number): Promise<string> {
  const said: string[] = []
  const client = new pg.Client({ connectionString: url })
  client.on('notice', ({ message }) => said.push(message ?? ''))
  await client.connect()
  try {
    await client.query(letMonthsGo(months - 2))
  } finally {
    await client.end()
  }
  return said.join('\n')
}
