import { type SQL, sql } from '../../database/drizzle.ts'
import { fact } from '../../platform/model/fact.ts'

/** For a statement with a phone user `u`: a SIP phone that is on and has never had a password. Twilio takes it over, and it is forgotten here. */
export const SIP_CANNOT_SIGN_IN = sql`(u.sip_enabled is true and u.password is null and u.sid is null)`

/** A web phone signs in with a token that the API key of the account signs. */
const WEB_PHONES_SIGN_IN = sql`exists (select 1 from connect_settings s
  where s.telco_api_key is not null and s.telco_api_secret is not null)`

/** For a statement with a phone user `u`: whether any phone of theirs rings, which takes an address at which it signs in, or a mobile. */
export const RINGS_A_PHONE = sql`(u.active is not false
  and (u.username is not null and u.domain is not null
      and (u.client_enabled is true and ${WEB_PHONES_SIGN_IN} or u.sip_enabled is true and not ${SIP_CANNOT_SIGN_IN})
    or u.mobile_enabled is true and u.mobile_number is not null))`

/** The same, for pages that say that callers only hear the voicemail of somebody. */
export const ringsAPhone = fact(
  'A phone rings',
  (id: SQL) => sql`exists (select 1 from connect_user u where u.id = ${id} and ${RINGS_A_PHONE})`,
  { widget: 'none' },
)
