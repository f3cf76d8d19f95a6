import { type SQL, sql } from '../../database/drizzle.ts'
import { fact } from '../../platform/model/fact.ts'

/** For a statement with a phone user `u`: whether any phone of theirs rings, which takes an address or a mobile. */
export const RINGS_A_PHONE = sql`(u.active is not false
  and (u.username is not null and u.domain is not null and (u.client_enabled is true or u.sip_enabled is true)
    or u.mobile_enabled is true and u.mobile_number is not null))`

/** The same, for pages that say that callers only hear the voicemail of somebody. */
export const ringsAPhone = fact(
  'A phone rings',
  (id: SQL) => sql`exists (select 1 from connect_user u where u.id = ${id} and ${RINGS_A_PHONE})`,
  { widget: 'none' },
)
