// In place of a server's autovacuum, which the embedded engine does not have: rows that were deleted or replaced would take
// their place for ever, its planner would know of no table how many rows it has, and one day its transaction ids would run out.
import { type SQL, sql } from '../drizzle.ts'

/** When autovacuum counts rows anew: after so many changed ones and this part of those there are. */
const CHANGED_ROWS_MIN = 50
const CHANGED_PART = 0.1
/** Growth in pages: what an earlier process counted has ended with it, but what it has added shows. */
const GROWN_PAGES_MIN = 10
/** Transactions after which autovacuum looks at a table that nobody changes, so that their ids can be used again. */
const AGE_MAX = 200_000_000

/**
 * Pages of a table's indexes that are read through within the time that a caller may be made to wait: 64 MB in a tenth of a second.
 * Where there are more, what points to rows that are gone is removed from them when nobody calls; their room in the table is used
 * again before that.
 */
const INDEX_PAGES_MAX = 8_192

/**
 * Bytes of log after which changed pages are written to their files. The engine does that only when it ends, and until then
 * keeps all of its log, which the next start would have to read after a crash.
 */
const LOG_BYTES_MAX = 64 * 1024 ** 2
const LOG_BYTES = sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()`

interface EngineAccess {
  query<Row>(query: SQL): Promise<Row[]>
  script(text: string): Promise<void>
}

/** Counts reach the view when the transaction after this one begins. */
const REPORT_COUNTS = sql`select pg_stat_force_next_flush()`

/** Where the counts are kept: looking after the other tables changes it, so it is looked at after them. */
const COUNTS = sql`c.oid = 'pg_statistic'::regclass`

/**
 * What has changed in a table since it was looked after. The rows that counting others leaves behind are never counted
 * themselves (ANALYZE passes over pg_statistic, as autovacuum knows), so there only those that are gone tell.
 */
const CHANGED_ROWS = sql`case when ${COUNTS} then s.n_dead_tup else s.n_mod_since_analyze end`

const INDEX_PAGES = sql`(select coalesce(sum(i.relpages), 0)::int from pg_index x join pg_class i on i.oid = x.indexrelid
  where x.indrelid = c.oid)`

interface DueTable {
  name: string
  index_pages: number
}

const dueOf = (
  tables: SQL,
): SQL => sql`select format('%I.%I', s.schemaname, s.relname) as name, ${INDEX_PAGES} as index_pages
  from pg_stat_all_tables s join pg_class c on c.oid = s.relid
  where ${tables} and c.relkind in ('r', 'm') and (${CHANGED_ROWS} > ${CHANGED_ROWS_MIN}::int + ${CHANGED_PART}::float8 * greatest(c.reltuples, 0)
    or pg_relation_size(c.oid) / current_setting('block_size')::int
      > ${GROWN_PAGES_MIN}::int + (1 + ${CHANGED_PART}::float8) * c.relpages
    or age(c.relfrozenxid) > ${AGE_MAX}::int)
  order by name`
const DUE = [dueOf(sql`not ${COUNTS}`), dueOf(COUNTS)]

/** What is looked after now, and what waits for a quieter time. */
interface Upkeep {
  isQuiet: boolean
  /** Tables whose large indexes still point to rows that are gone. */
  deferred: Set<string>
}

/**
 * Frees the room of rows that are gone, and counts the rows, in every table that has changed enough since the last time.
 * A table at a time, and before each of them webhooks that have arrived, so that they wait for one of them at most; unless it is
 * quiet, large indexes are left for later. Gives the names of the tables. Then it lets go of the log, when that has grown.
 * Throws the first failure when it has tried all of them.
 */
export async function lookAfterTables({ query, script }: EngineAccess, upkeep: Upkeep): Promise<string[]> {
  const done: string[] = []
  const failures: unknown[] = []
  const vacuum = async (name: string, options: string): Promise<void> => {
    await script(`vacuum (${options}) ${name}`).catch((error: unknown) => failures.push(error))
    done.push(name)
  }
  for (const due of DUE) {
    await query(REPORT_COUNTS)
    for (const table of await query<DueTable>(due)) await vacuum(table.name, optionsFor(table, upkeep))
  }
  if (upkeep.isQuiet) {
    for (const name of upkeep.deferred) await vacuum(name, 'index_cleanup on')
    upkeep.deferred.clear()
  }
  const [log] = await query<{ bytes: number }>(LOG_BYTES)
  if ((log?.bytes ?? 0) > LOG_BYTES_MAX) await script('checkpoint')
  if (failures.length > 0) throw failures[0]
  return done
}

function optionsFor({ name, index_pages: indexPages }: DueTable, { isQuiet, deferred }: Upkeep): string {
  if (isQuiet || indexPages <= INDEX_PAGES_MAX) {
    deferred.delete(name)
    return 'analyze'
  }
  deferred.add(name)
  return 'analyze, index_cleanup off'
}
