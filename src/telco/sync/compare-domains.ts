import { type Difference, differing } from '../../sync/provider.ts'
import { findStrangers, listPhones, type StoredPhone } from '../phone-users/push-credential.ts'
import { DOMAIN_MODEL, domainProblem, findDomain, listDomains, mappingProblem } from '../sip-domains/push-domain.ts'
import { NOT_THERE } from './problems.ts'
import type { TelcoParts } from './telco.ts'

/** What is different in the SIP domains, and in who may register with them. */
export async function compareDomains(parts: TelcoParts): Promise<Difference[]> {
  const { domains, credentialLists } = parts.account
  const known = await domains.list()
  const phones = await listPhones(parts)
  const found: Difference[] = []
  for (const stored of await listDomains(parts)) {
    const there = findDomain(stored, known)
    const mapping = there === undefined ? undefined : mappingProblem(stored, await domains.listMappings(there.sid))
    const subject = { what: DOMAIN_MODEL, id: stored.id, name: stored.friendly_name }
    found.push(...differing(subject, domainProblem(stored, there) ?? mapping))
    if (there === undefined || mapping !== undefined || stored.cred_list_sid === null) continue
    const credentials = await credentialLists.listCredentials(stored.cred_list_sid)
    const ofDomain = phones.filter((phone) => phone.cred_list_sid === stored.cred_list_sid)
    found.push(...ofDomain.flatMap((phone) => comparePhone(phone, credentials)))
    found.push(...findStrangers(ofDomain, credentials))
  }
  return found
}

function comparePhone(phone: StoredPhone, credentials: readonly { sid: string }[]): Difference[] {
  const isThere = credentials.some((each) => each.sid === phone.sid)
  if (isThere === phone.is_wanted) return []
  const problem = isThere ? 'Twilio still lets this phone register.' : NOT_THERE
  return differing({ what: 'connect.user', id: phone.id, name: phone.name }, problem)
}
