import type { Queryable } from './database.ts'
import { sql } from './drizzle.ts'

/** The sequence that is nearest to its end, and how much of it is used: 1 is all of it. */
interface FullestSequence {
  /** With its schema, such as `public.connect_delivery_id_seq`. */
  name: string
  used: number
}

/** An end is the sequence's own, or what fits into the column that it fills. One that begins anew has none. */
const FULLEST = sql`select s.schemaname || '.' || s.sequencename as name,
    s.last_value::float8 / least(s.max_value, case a.atttypid
      when 'int2'::regtype then 32767 when 'int4'::regtype then 2147483647 else s.max_value end)::float8 as used
  from pg_sequences s
    join pg_namespace n on n.nspname = s.schemaname
    join pg_class c on c.relnamespace = n.oid and c.relname = s.sequencename
    left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid
      and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0 and d.deptype in ('a', 'i')
    left join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  where s.last_value is not null and not s.cycle and s.increment_by > 0
  order by used desc, name limit 1`

/** Of all schemas, also those of others: a sequence at its end refuses every new row. Undefined while none was used. */
export async function findFullestSequence(db: Queryable): Promise<FullestSequence | undefined> {
  const [fullest] = await db.query<FullestSequence>(FULLEST)
  return fullest
}
