import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../access/env.ts'
import { GROUP } from '../access/identity.ts'

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
