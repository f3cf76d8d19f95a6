import { sql } from '../../database/drizzle.ts'
import { fact } from '../../platform/model/fact.ts'
import { ringsNoOneSql } from '../callflows/rings-no-one.ts'
import { RINGS_A_PHONE } from '../phone-users/rings-a-phone.ts'

/** Callers of the number are led to a person of whom no phone rings, or to a group of such people, and nothing stands in for them. */
export const reachesNoOne = fact(
  'Reaches no one',
  (id) => sql`exists (select 1 from connect_telco_number n where n.id = ${id} and (
    n.destination = 'user' and n.fallback_exten is null and exists (select 1 from connect_user u where u.id = n."user"
      and u.voicemail_enabled is not true and not ${RINGS_A_PHONE})
    or n.destination = 'callflow' and exists (select 1 from connect_telco_callflow f where f.id = n.callflow
      and f.gather_input is not true and f.voicemail_enabled is not true and f.fallback_exten is null
      and coalesce(btrim(f.fallback_message), '') = '' and ${ringsNoOneSql(sql`f.id`)})))`,
  { widget: 'none' },
)
