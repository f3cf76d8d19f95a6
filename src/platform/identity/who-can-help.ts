import { Type } from 'typebox'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { GROUP } from '../access/identity.ts'

/** As many names as a sentence holds. */
const NAMES_MAX = 3

/** Who can change what somebody may do, for whoever is signed in and meets a page that is not theirs. */
export const WhoCanHelp = Type.Object({
  names: Type.Array(Type.String(), { description: 'A few people who manage users, by their names.' }),
})

/** People who manage users: their group, or one that implies it. */
export async function whoCanHelp(db: Queryable): Promise<{ names: string[] }> {
  const rows = await db.query<{ name: string }>(
    sql`with recursive managing(id) as (
          select id from res_groups where external_id = ${GROUP.manager}
          union select i.group_id from res_groups_implied_rel i join managing m on m.id = i.implied_id
        )
        select u.name from res_users u where u.active and u.share is not true
          and exists (select 1 from res_groups_users_rel r join managing m on m.id = r.group_id where r.user_id = u.id)
        order by u.id limit ${NAMES_MAX}::int`,
  )
  return { names: rows.map(({ name }) => name) }
}
