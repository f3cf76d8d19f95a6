import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'

/** Removes everything that was posted on records, and what contacts wrote themselves; gives their ids. */
export async function removePostsOf(
  db: Queryable,
  authors: readonly number[],
  on: Readonly<Record<string, readonly number[]>>,
): Promise<number[]> {
  const theirs = Object.entries(on).flatMap(([model, ids]) =>
    ids.length === 0 ? [] : [sql` or (model = ${model} and res_id in (${idList(ids)}))`],
  )
  const rows = await db.query<{ id: number }>(
    sql`delete from mail_message where author_id in (${idList(authors)})${sql.join(theirs, sql``)} returning id`,
  )
  return rows.map(({ id }) => id)
}
