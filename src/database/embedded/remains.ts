// Rows that were removed or replaced stay in the engine's files, as bytes that nobody reads, until something else needs their
// room. Where somebody has been erased that is too long: tables are written anew, and the log begins in a new file.
import { type SQL, sql } from '../drizzle.ts'

/** Rewriting holds up everybody who waits for the engine: a table of this size takes it about a tenth of a second. */
const REWRITTEN_BYTES_MAX = 4 * 1024 ** 2
/** While nobody calls: about half a second. */
const QUIET_BYTES_MAX = 24 * 1024 ** 2
/** After a table that took longer, on a slow machine, only those of half its size are rewritten; the smallest ones always. */
const HELD_MS_MAX = 150
const SMALL_BYTES = 1024 ** 2

interface EngineAccess {
  query<Row>(query: SQL): Promise<Row[]>
  script(text: string): Promise<void>
}

/** Rewritten last, when all others have been counted. */
const COUNTS = 'pg_catalog.pg_statistic'
const FILES_AHEAD = sql`select count(*) filter (where name > pg_walfile_name(pg_current_wal_insert_lsn())) as ahead
  from pg_ls_waldir()`
/** Of a table without rows nothing is counted anew, so the samples of those that it had would stay. */
const FORGET_SAMPLES = sql`delete from pg_statistic where starelid in (
  select c.oid from pg_class c left join pg_index i on i.indexrelid = c.oid
  where c.relkind in ('r', 'i') and pg_relation_size(coalesce(i.indrelid, c.oid)) = 0)`

/** What is rewritten, and when. */
interface Clearing {
  /** Nobody has called for a while. */
  isQuiet?: boolean
  /** Of all tables, only these. */
  among?: readonly string[]
}

/** Rewrites every table that is small enough, one at a time, and drops the log of before; gives the names of the other tables. */
export async function clearRemains(
  { query, script }: EngineAccess,
  { isQuiet = false, among }: Clearing = {},
): Promise<string[]> {
  const all = await query<{ name: string; bytes: number }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name, pg_total_relation_size(c.oid) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (n.nspname in ('public', 'jobs') or c.oid = ${COUNTS}::regclass)
    order by c.oid = ${COUNTS}::regclass, bytes, name`)
  const tables = all.filter(({ name }) => among === undefined || among.includes(name))
  const left: string[] = []
  let bytesMax = isQuiet ? QUIET_BYTES_MAX : REWRITTEN_BYTES_MAX
  for (const { name, bytes } of tables) {
    if (name === COUNTS) await query(FORGET_SAMPLES)
    if (bytes > bytesMax) {
      left.push(name)
      continue
    }
    const began = performance.now()
    await script(`vacuum (full, analyze) ${name}`)
    const isSlow = bytes > SMALL_BYTES && performance.now() - began > HELD_MS_MAX
    if (isSlow && !isQuiet) bytesMax = Math.max(SMALL_BYTES, Math.floor(bytes / 2))
  }
  if (left.length < tables.length) await beginLogAnew({ query, script })
  return left
}

/**
 * Goes on in a file of the log that is new, and removes those before. Of a folder that was used before the engine made every file
 * anew, files with their old bytes may wait to be used again: they are gone through first.
 */
async function beginLogAnew({ query, script }: EngineAccess): Promise<void> {
  await script('checkpoint')
  const [files] = await query<{ ahead: number }>(FILES_AHEAD)
  for (let file = 0; file <= (files?.ahead ?? 0); file += 1) {
    // From a file in which nothing stands there is no going on.
    for (const step of ['select pg_switch_wal()', 'checkpoint']) await script(step)
  }
}
