// What a server's autovacuum does. The embedded engine has none: without this, rows that were deleted or replaced would
// take their place for ever, and its planner would know of no table how many rows it has.
import { type SQL, sql } from './drizzle.ts'

/** As autovacuum begins with: so many changed rows, and this part of the rows there are. */
const CHANGED_ROWS_MIN = 50
const CHANGED_PART = 0.1
/** Growth, in pages, that an earlier process may have left behind: what it counted ended with it. */
const GROWN_PAGES_MIN = 10

interface EngineAccess {
  query<Row>(query: SQL): Promise<Row[]>
  script(text: string): Promise<void>
}

/** Counts reach the view when the transaction after this one begins. */
const TELL_COUNTS = sql`select pg_stat_force_next_flush()`

const DUE = sql`select format('%I.%I', s.schemaname, s.relname) as name
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.n_mod_since_analyze > ${CHANGED_ROWS_MIN}::int + ${CHANGED_PART}::float8 * greatest(c.reltuples, 0)
    or pg_relation_size(c.oid) / current_setting('block_size')::int
      > ${GROWN_PAGES_MIN}::int + (1 + ${CHANGED_PART}::float8) * c.relpages
  order by name`

/**
 * Frees the room of rows that are gone, and counts the rows, in every table that has changed enough since the last time.
 * A table at a time, so that whoever waits for the engine waits for one of them at most. Gives the names of the tables.
 */
export async function lookAfterTables({ query, script }: EngineAccess): Promise<string[]> {
  await query(TELL_COUNTS)
  const names = (await query<{ name: string }>(DUE)).map(({ name }) => name)
  for (const name of names) await script(`vacuum (analyze) ${name}`)
  return names
}
