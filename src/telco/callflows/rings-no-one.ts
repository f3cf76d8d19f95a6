import { type SQL, sql } from '../../database/drizzle.ts'
import { fact } from '../../platform/model/fact.ts'
import { RINGS_A_PHONE } from '../phone-users/rings-a-phone.ts'

/** For a statement: whether the call flow is to ring people, and no phone of any of them rings, nor a mobile. */
export function ringsNoOneSql(flow: SQL): SQL {
  return sql`(exists (select 1 from connect_telco_callflow_ring_users_rel g where g.callflow_id = ${flow})
    and not exists (select 1 from connect_telco_callflow_ring_users_rel g join connect_user u on u.id = g.user_id
      where g.callflow_id = ${flow} and ${RINGS_A_PHONE})
    and not exists (select 1 from connect_telco_callflow_ring_mobiles_rel g join connect_telco_exten e on e.id = g.exten_id
      where g.callflow_id = ${flow} and e.mobile_number is not null))`
}

/** The same, for pages that say what callers of such a group hear. */
export const ringsNoOne = fact('Rings no one', ringsNoOneSql, { widget: 'none' })
