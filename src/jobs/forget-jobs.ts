import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { mayMention } from '../platform/person/find-mentions.ts'
import type { Mentions } from '../platform/person/mentions.ts'
import type { Sought } from '../platform/person/person.ts'

/** Removes the jobs, and their results, that mention a person, unless one is being worked on; gives how many. */
export async function removeJobsNaming(
  db: Queryable,
  { sought, mentions }: { sought: Sought; mentions: Mentions },
): Promise<number> {
  const text = sql`concat_ws(' ', data::text, output::text)`
  const rows = await db.query<{ id: string; text: string }>(
    sql`select id, ${text} as text from jobs.job where state <> 'active' and ${mayMention(sought, text)}`,
  )
  const ids = rows.filter((row) => mentions.isIn(row.text)).map(({ id }) => id)
  if (ids.length === 0) return 0
  await db.query(
    sql`delete from jobs.job where state <> 'active'
          and id in (select each::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as ids (each))`,
  )
  return ids.length
}
