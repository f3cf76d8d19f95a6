import { type SQL, sql } from '../../database/drizzle.ts'
import { GROUP } from '../access/identity.ts'
import { fact } from '../model/fact.ts'

/** Somebody who signs in and works here: neither from outside, nor a user that the service works as, nor one who has left. */
const IS_COLLEAGUE = sql`u.active and u.share is not true and u.external_id is null`

/** Those of these who are in one of the groups, or in one that implies it. */
function isIn(groups: readonly string[], who: SQL = IS_COLLEAGUE): (id: SQL) => SQL {
  return (id) => sql`${id} in (
    with recursive reaching(id) as (
      select id from res_groups where external_id = any(${sql.param([...groups])}::text[])
      union select i.group_id from res_groups_implied_rel i join reaching r on r.id = i.implied_id
    )
    select u.id from res_users u join res_groups_users_rel m on m.user_id = u.id join reaching r on r.id = m.group_id
    where ${who})`
}

/** What pickers and pages ask of users; who is in which group is nobody else's to read. */
export const COLLEAGUE_FACTS = {
  is_colleague: fact('Works here', (id) => sql`${id} in (select u.id from res_users u where ${IS_COLLEAGUE})`),
  is_in_helpdesk: fact('Works on tickets', isIn([GROUP.helpdeskUser, GROUP.helpdeskManager])),
  is_in_connect: fact('Works with Connect', isIn([GROUP.connectUser, GROUP.connectAdmin])),
  is_manager: fact('Is a manager', isIn([GROUP.manager], sql`true`), { help: 'Kept by managers only.' }),
}

/** The contact of somebody who signs in, or of the service itself: nobody to talk to from outside. */
export const isContactOfStaff = (id: SQL): SQL => sql`${id} in (
  select u.partner_id from res_users u where u.partner_id is not null and (u.share is not true or u.external_id is not null))`
