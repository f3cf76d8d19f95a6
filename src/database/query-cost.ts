import { type SQL, sql } from './drizzle.ts'

/**
 * What the planner may expect a search of the API to cost on the embedded engine, which cannot stop one that runs: about
 * half a second, in which nobody else is answered (docs/decisions/0012).
 */
export const EMBEDDED_QUERY_COST_MAX = 60_000

/**
 * The planner takes comparing with a pattern for as cheap as comparing two numbers. Measured, it takes a hundred times as
 * long without regard to case, and with it a quarter of that. A server is not ours to teach, and stops what takes too long.
 */
export const PATTERN_COSTS = `do $$ begin
  if (select procost from pg_proc where oid = 'pg_catalog.texticlike(text,text)'::regprocedure) < 100 then
    alter function pg_catalog.texticlike(text, text) cost 100;
    alter function pg_catalog.textlike(text, text) cost 25;
  end if;
end $$`

/** Asks the planner what a query would cost, without running it. */
export function explained(query: SQL): SQL {
  return sql`explain (format json) ${query}`
}

/** What the planner said: in units of which reading a page is one. */
export function costOf([row]: readonly Record<string, unknown>[]): number {
  const plans = row?.['QUERY PLAN'] as [{ Plan: { 'Total Cost': number } }] | undefined
  if (plans === undefined) throw new Error('the database did not explain the query')
  return plans[0].Plan['Total Cost']
}
