// Rows that were removed or replaced stay in the engine's files, as bytes that nobody reads, until something else needs their
// room. Where somebody has been erased that is too long: tables are written anew, and the log begins in a new file.
import { type SQL, sql } from '../drizzle.ts'

/** Rewriting holds up whoever waits for the engine: a table of this size takes it about half a second. */
const REWRITTEN_BYTES_MAX = 24 * 1024 * 1024

interface EngineAccess {
  query<Row>(query: SQL): Promise<Row[]>
  script(text: string): Promise<void>
}

/** Rewrites every table that is small enough, and drops the log of before; gives the names of the other tables. */
export async function clearRemains({ query, script }: EngineAccess): Promise<string[]> {
  const tables = await query<{ name: string; is_small: boolean }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name,
      pg_total_relation_size(c.oid) <= ${REWRITTEN_BYTES_MAX}::bigint as is_small
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (n.nspname in ('public', 'jobs') or c.oid = 'pg_statistic'::regclass)
    order by c.oid = 'pg_statistic'::regclass, name`)
  for (const { name, is_small: isSmall } of tables) {
    await script(isSmall ? `vacuum (full, analyze) ${name}` : `vacuum (analyze) ${name}`)
  }
  // Files of the log that are no longer needed would be used again as they are.
  await script('set wal_recycle = off')
  for (const step of ['checkpoint', 'select pg_switch_wal()', 'checkpoint']) await script(step)
  await script('reset wal_recycle')
  return tables.filter(({ is_small: isSmall }) => !isSmall).map(({ name }) => name)
}
