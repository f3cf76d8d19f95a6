import { type Difference, differing } from '../../sync/provider.ts'
import { NOT_THERE } from '../sync/problems.ts'
import type { TelcoParts } from '../sync/telco.ts'
import { pbxUserModel } from './phone-user.ts'
import { findStrangers, listPhones, type StoredPhone } from './stored-phones.ts'

const MODEL = pbxUserModel.name

/** What is different in who may register with a list of credentials. */
export async function comparePhones(parts: TelcoParts, listSid: string): Promise<Difference[]> {
  const credentials = await parts.account.credentialLists.listCredentials(listSid)
  const phones = (await listPhones(parts)).filter((phone) => phone.cred_list_sid === listSid)
  return [...phones.flatMap((phone) => comparePhone(phone, credentials)), ...findStrangers(phones, credentials)]
}

function comparePhone(phone: StoredPhone, credentials: readonly { sid: string }[]): Difference[] {
  const isThere = credentials.some((each) => each.sid === phone.sid)
  if (isThere === phone.is_wanted) return []
  const problem = isThere ? 'Twilio still lets this phone register.' : NOT_THERE
  return differing({ what: MODEL, id: phone.id, name: phone.name }, problem)
}
