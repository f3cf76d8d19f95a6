import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'

/** Everything that was posted on records, and what contacts wrote themselves. */
export async function findPostsOf(
  db: Queryable,
  authors: readonly number[],
  on: Readonly<Record<string, readonly number[]>>,
): Promise<number[]> {
  const theirs = Object.entries(on).map(
    ([model, ids]) => sql`union select id from mail_message where model = ${model} and res_id in (${manyIds(ids)})`,
  )
  const rows = await db.query<{ id: number }>(
    sql`select id from mail_message where author_id in (${idList(authors)}) ${sql.join(theirs, sql` `)} order by id desc`,
  )
  return rows.map(({ id }) => id)
}

export async function removePosts(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(sql`delete from mail_message where id in (${idList(ids)})`)
}
