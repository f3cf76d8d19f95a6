import { Type } from 'typebox'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../access/env.ts'
import { GROUP } from '../access/identity.ts'

/** As many names as a sentence holds. */
const NAMES_MAX = 3

/** Lets a person work with Connect; one who manages the system anyway administers it. */
export async function joinConnect(env: Env, userId: number): Promise<void> {
  const joined = await env.db.query<{ user_id: number }>(
    sql`insert into res_groups_users_rel (user_id, group_id)
        select u.id, g.id from res_users u join res_groups g on g.external_id = case
          when exists (select 1 from res_groups_users_rel r join res_groups m on m.id = r.group_id
                       where r.user_id = u.id and m.external_id = ${GROUP.manager})
          then ${GROUP.connectAdmin} else ${GROUP.connectUser} end
        where u.id = ${userId}::bigint
        on conflict do nothing returning user_id`,
  )
  for (const { user_id: id } of joined) await env.db.notify('connect_identity', String(id))
}

/** Takes the people out of the group of Connect's users; its administrators are in another, and stay. */
export async function leaveConnect(env: Env, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const left = await env.db.query<{ user_id: number }>(
    sql`delete from res_groups_users_rel
        where group_id in (select id from res_groups where external_id = ${GROUP.connectUser})
          and user_id in (${idList(userIds)})
        returning user_id`,
  )
  for (const { user_id: id } of left) await env.db.notify('connect_identity', String(id))
}

/** Who can change what somebody may do, for people who are signed in and meet a page that is not theirs. */
export const WhoCanHelp = Type.Object({
  names: Type.Array(Type.String(), { description: 'A few people who manage users, by their names.' }),
})

/** People who manage users: their group, or one that implies it. Nobody asks a user that the service itself works as. */
export async function whoCanHelp(db: Queryable): Promise<{ names: string[] }> {
  const rows = await db.query<{ name: string }>(
    sql`with recursive managing(id) as (
          select id from res_groups where external_id = ${GROUP.manager}
          union select i.group_id from res_groups_implied_rel i join managing m on m.id = i.implied_id
        )
        select u.name from res_users u where u.active and u.share is not true and u.external_id is null
          and exists (select 1 from res_groups_users_rel r join managing m on m.id = r.group_id where r.user_id = u.id)
        order by u.id limit ${NAMES_MAX}::int`,
  )
  return { names: rows.map(({ name }) => name) }
}
