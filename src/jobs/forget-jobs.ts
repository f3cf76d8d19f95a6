import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { mayMention } from '../platform/person/find-mentions.ts'
import type { Mentions } from '../platform/person/mentions.ts'
import type { Sought } from '../platform/person/person.ts'

/** Jobs that one statement looks into. */
const JOBS_AT_ONCE = 300
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Removes the jobs, and their results, that mention a person, unless one is being worked on; gives how many. */
export async function removeJobsNaming(
  db: Queryable,
  { sought, mentions }: { sought: Sought; mentions: Mentions },
): Promise<number> {
  const text = sql`concat_ws(' ', data::text, output::text)`
  let removed = 0
  for (let after: string | null = FIRST_ID; after !== null; ) {
    const rows: { last: string; id: string | null; text: string | null }[] = await db.query(sql`
      with page as (select id, data, output, state, max(id::text) over () as last from (
        select id, data, output, state from jobs.job where id > ${after}::uuid order by id limit ${JOBS_AT_ONCE}::int) p)
      select l.last, found.* from (select last from page limit 1) l left join (
        select id::text as id, ${text} as text from page where state <> 'active' and ${mayMention(sought, text)}) found on true`)
    const ids = rows.flatMap((row) => (row.id !== null && mentions.isIn(row.text ?? '') ? [row.id] : []))
    if (ids.length > 0) {
      await db.query(
        sql`delete from jobs.job where state <> 'active'
              and id in (select each::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as ids (each))`,
      )
    }
    removed += ids.length
    after = rows[0]?.last ?? null
  }
  return removed
}
