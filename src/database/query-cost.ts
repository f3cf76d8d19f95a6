import { type SQL, sql } from './drizzle.ts'

/**
 * What the planner may expect a search of the API to cost on the embedded engine altogether: 5 to 15 s, in slices between which
 * others are answered (docs/decisions/0028).
 */
export const EMBEDDED_QUERY_COST_MAX = 1_000_000
/** The same for one statement, which cannot be stopped once it runs and in which nobody else is answered: about 0.1 s. */
export const SLICE_COST_MAX = 8_000

/**
 * The planner takes comparing with a pattern for as cheap as comparing two numbers. Measured, it takes a hundred times as
 * long without regard to case, and with it a quarter of that. A text that is folded first takes as long as one compared without
 * regard to case: the planner learns it by `normalize`, which `connect_fold` alone calls. A server is not ours to teach, and
 * stops what takes too long.
 */
export const PATTERN_COSTS = `do $$ begin
  if (select procost from pg_proc where oid = 'pg_catalog.normalize(text,text)'::regprocedure) < 70 then
    alter function pg_catalog.normalize(text, text) cost 70;
    alter function pg_catalog.texticlike(text, text) cost 100;
    alter function pg_catalog.textlike(text, text) cost 25;
  end if;
end $$`

/** Asks the planner what a query would cost, without running it. */
export function explained(query: SQL): SQL {
  return sql`explain (format json) ${query}`
}

/** What the planner said: in units of which reading a page is one. */
export function costOf(rows: readonly Record<string, unknown>[]): number {
  return planOf(rows)['Total Cost']
}

/** How many rows the planner expects. */
export function rowsOfPlan(rows: readonly Record<string, unknown>[]): number {
  return planOf(rows)['Plan Rows']
}

function planOf([row]: readonly Record<string, unknown>[]): { 'Total Cost': number; 'Plan Rows': number } {
  const plans = row?.['QUERY PLAN'] as [{ Plan: { 'Total Cost': number; 'Plan Rows': number } }] | undefined
  if (plans === undefined) throw new Error('the database did not explain the query')
  return plans[0].Plan
}
