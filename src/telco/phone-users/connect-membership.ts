import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { idList } from '../../platform/records/records.ts'

/** Somebody with a phone works with Connect; one who manages the system anyway administers it. */
export async function joinConnect(env: Env, pbxUserId: number): Promise<void> {
  const joined = await env.db.query<{ user_id: number }>(
    sql`insert into res_groups_users_rel (user_id, group_id)
        select u."user", g.id from connect_user u join res_groups g on g.external_id = case
          when exists (select 1 from res_groups_users_rel r join res_groups m on m.id = r.group_id
                       where r.user_id = u."user" and m.external_id = ${GROUP.manager})
          then ${GROUP.connectAdmin} else ${GROUP.connectUser} end
        where u.id = ${pbxUserId}::bigint
        on conflict do nothing returning user_id`,
  )
  for (const { user_id: userId } of joined) await env.db.notify('connect_identity', String(userId))
}

/** Without a phone nobody is a Connect user any more; an administrator stays one, which does not take a phone. */
export async function leaveConnect(env: Env, pbxUserIds: readonly number[]): Promise<void> {
  const left = await env.db.query<{ user_id: number }>(
    sql`delete from res_groups_users_rel
        where group_id in (select id from res_groups where external_id = ${GROUP.connectUser})
          and user_id in (select "user" from connect_user where id in (${idList(pbxUserIds)}))
        returning user_id`,
  )
  for (const { user_id: userId } of left) await env.db.notify('connect_identity', String(userId))
}
