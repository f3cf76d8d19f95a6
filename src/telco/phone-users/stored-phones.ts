import { sql } from '../../database/drizzle.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { Difference } from '../../sync/provider.ts'
import type { ProviderCredential } from '../client/credential-lists.ts'
import type { domainModel } from '../sip-domains/domain.ts'
import type { TelcoParts } from '../sync/telco.ts'
import { pbxUserModel } from './phone-user.ts'

const MODEL = pbxUserModel.name

/** What the provider has to know of somebody's SIP phone; the password is encrypted. */
export type StoredPhone = RowOf<typeof pbxUserModel, 'id' | 'username' | 'sid' | 'password'> &
  RowOf<typeof domainModel, 'cred_list_sid'> & { name: string; is_wanted: boolean; domain: number }

const FIND = sql`select u.id, coalesce(u.name, u.username, 'phone user ' || u.id) as name, u.username, u.sid, u.password,
    (u.active is not false and u.sip_enabled is true and coalesce(u.username, '') <> '') as is_wanted,
    d.id as domain, d.cred_list_sid
  from connect_user u join connect_telco_domain d on d.id = u.domain`

/** Phones that have a credential, or are to have one. */
export async function listPhones({ db }: TelcoParts): Promise<StoredPhone[]> {
  return db.query<StoredPhone>(
    sql`${FIND} where u.sid is not null or (u.active is not false and u.sip_enabled is true) order by u.id`,
  )
}

/** A phone user with a SIP domain, whether or not their phone may register. */
export async function findPhone({ db }: TelcoParts, id: number): Promise<StoredPhone | undefined> {
  const [phone] = await db.query<StoredPhone>(sql`${FIND} where u.id = ${id}::bigint`)
  return phone
}

/** Credentials that may register although they belong to nobody here. */
export function findStrangers(phones: readonly StoredPhone[], known: readonly ProviderCredential[]): Difference[] {
  const strangers = known.filter(
    ({ sid, username }) => !phones.some((phone) => phone.sid === sid || phone.username === username),
  )
  return strangers.map(({ username: name }) => ({
    what: MODEL,
    name,
    message:
      'A phone may register under this name, which no phone user here has. Remove it at Twilio if nobody needs it.',
  }))
}
