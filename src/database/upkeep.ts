// In place of a server's autovacuum, which the embedded engine does not have: rows that were deleted or replaced would take
// their place for ever, its planner would know of no table how many rows it has, and one day its transaction ids would run out.
import { type SQL, sql } from './drizzle.ts'

/** When autovacuum counts rows anew: after so many changed ones and this part of those there are. */
const CHANGED_ROWS_MIN = 50
const CHANGED_PART = 0.1
/** Growth in pages: what an earlier process counted has ended with it, but what it has added shows. */
const GROWN_PAGES_MIN = 10
/** Transactions after which autovacuum looks at a table that nobody changes, so that their ids can be used again. */
const AGE_MAX = 200_000_000

interface EngineAccess {
  query<Row>(query: SQL): Promise<Row[]>
  script(text: string): Promise<void>
}

/** Counts reach the view when the transaction after this one begins. */
const TELL_COUNTS = sql`select pg_stat_force_next_flush()`

const DUE = sql`select format('%I.%I', s.schemaname, s.relname) as name
  from pg_stat_all_tables s join pg_class c on c.oid = s.relid
  where c.relkind in ('r', 'm') and (s.n_mod_since_analyze > ${CHANGED_ROWS_MIN}::int + ${CHANGED_PART}::float8 * greatest(c.reltuples, 0)
    or pg_relation_size(c.oid) / current_setting('block_size')::int
      > ${GROWN_PAGES_MIN}::int + (1 + ${CHANGED_PART}::float8) * c.relpages
    or age(c.relfrozenxid) > ${AGE_MAX}::int)
  order by name`

/**
 * Frees the room of rows that are gone, and counts the rows, in every table that has changed enough since the last time.
 * A table at a time, so that whoever waits for the engine waits for one of them at most. Gives the names of the tables.
 * Throws the first failure when it has tried all of them.
 */
export async function lookAfterTables({ query, script }: EngineAccess): Promise<string[]> {
  await query(TELL_COUNTS)
  const names = (await query<{ name: string }>(DUE)).map(({ name }) => name)
  const failures: unknown[] = []
  for (const name of names) await script(`vacuum (analyze) ${name}`).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return names
}
