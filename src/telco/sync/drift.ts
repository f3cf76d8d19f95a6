import type { Difference } from '../../sync/provider.ts'
import { freshSettings } from '../../sync/service-env.ts'
import { applicationProblem, listApplications, readApplications } from '../applications/push-application.ts'
import { CALLER_ID_MODEL, listCallerIds } from '../caller-ids/push-caller-id.ts'
import { listNumbers, NUMBER_MODEL, numberProblem } from '../numbers/push-number.ts'
import { findStrangers, listPhones, type StoredPhone } from '../phone-users/push-credential.ts'
import { DOMAIN_MODEL, domainProblem, findDomain, listDomains, mappingProblem } from '../sip-domains/push-domain.ts'
import { listSenders, SENDER_MODEL, senderProblem } from '../whatsapp/push-sender.ts'
import { listTemplates, statusOf, TEMPLATE_MODEL } from '../whatsapp/sync-templates.ts'
import { MESSAGE_REGION } from './readiness.ts'
import type { TelcoParts } from './telco-parts.ts'

const SYNC = 'Run SYNC.'
const NOT_HERE = 'The phone provider has it, and it is not known here.'
const NOT_THERE = 'The phone provider does not have it.'

export async function compareApplications(parts: TelcoParts): Promise<Difference[]> {
  const known = await readApplications(parts)
  return (await listApplications(parts)).flatMap((stored) => {
    const problem = applicationProblem(stored, known.get(stored.sid ?? ''))
    return differing({ what: 'connect.telco.markup', id: stored.id, name: stored.name }, problem)
  })
}

export async function compareDomains(parts: TelcoParts): Promise<Difference[]> {
  const { domains, credentialLists } = parts.account
  const known = await domains.list()
  const phones = await listPhones(parts)
  const found: Difference[] = []
  for (const stored of await listDomains(parts)) {
    const there = findDomain(stored, known)
    const mapping = there === undefined ? undefined : mappingProblem(stored, await domains.listMappings(there.sid))
    const about = { what: DOMAIN_MODEL, id: stored.id, name: stored.friendly_name }
    found.push(...differing(about, domainProblem(stored, there) ?? mapping))
    if (there === undefined || mapping !== undefined || stored.cred_list_sid === null) continue
    const credentials = await credentialLists.listCredentials(stored.cred_list_sid)
    const ofDomain = phones.filter((phone) => phone.cred_list_sid === stored.cred_list_sid)
    found.push(...ofDomain.flatMap((phone) => comparePhone(phone, credentials)))
    found.push(...findStrangers(ofDomain, credentials).map((stranger) => ({ what: 'connect.user', ...stranger })))
  }
  return found
}

function comparePhone(phone: StoredPhone, credentials: readonly { sid: string }[]): Difference[] {
  const isThere = credentials.some((each) => each.sid === phone.sid)
  if (isThere === phone.is_wanted) return []
  const problem = isThere ? 'The phone provider still lets this phone register.' : NOT_THERE
  return differing({ what: 'connect.user', id: phone.id, name: phone.name }, problem)
}

export async function compareNumbers(parts: TelcoParts): Promise<Difference[]> {
  const found = await parts.account.numbers.list()
  const stored = await listNumbers(parts)
  const differences = stored
    .filter((number) => number.is_ignored !== true)
    .flatMap((number) => {
      const there = found.find((each) => each.sid === number.sid)
      return differing({ what: NUMBER_MODEL, id: number.id, name: number.phone_number }, numberProblem(number, there))
    })
  return [...differences, ...unknown(NUMBER_MODEL, found, stored)]
}

export async function compareCallerIds(parts: TelcoParts): Promise<Difference[]> {
  const found = await parts.account.callerIds.list()
  const stored = await listCallerIds(parts)
  const external = stored.filter((each) => each.callerid_type === 'outgoing_callerid' && each.sid !== null)
  const differences = external.flatMap((each) => {
    const there = found.find(({ number }) => number === each.number)
    const isRenamed = there !== undefined && there.name !== each.friendly_name
    const problem = isRenamed ? `The phone provider calls it "${there.name}".` : NOT_THERE
    const isSame = there !== undefined && !isRenamed
    return differing({ what: CALLER_ID_MODEL, id: each.id, name: each.number }, isSame ? undefined : problem)
  })
  const strangers = found.filter(({ number }) => !stored.some((each) => each.number === number && each.sid !== null))
  return [...differences, ...unknown(CALLER_ID_MODEL, strangers, stored)]
}

export async function compareSenders(parts: TelcoParts): Promise<Difference[]> {
  if (!(await hasMessages(parts))) return []
  const found = await parts.account.senders.list()
  const stored = await listSenders(parts)
  const differences: Difference[] = []
  for (const sender of stored.filter((each) => each.no_sync !== true)) {
    const there = found.find((each) => each.sid === sender.sid)
    const problem = (await senderProblem(parts, sender, there)) ?? stateProblem(sender.status, there?.status)
    differences.push(...differing({ what: SENDER_MODEL, id: sender.id, name: sender.number }, problem))
  }
  return [...differences, ...unknown(SENDER_MODEL, found, stored)]
}

export async function compareTemplates(parts: TelcoParts): Promise<Difference[]> {
  if (!(await hasMessages(parts))) return []
  const found = await parts.account.contents.list()
  const stored = await listTemplates(parts)
  const differences = stored
    .filter((template) => template.sid !== null)
    .flatMap((template) => {
      const there = found.find((each) => each.sid === template.sid)
      const state = there === undefined ? 'missing' : statusOf(there.approval)
      const about = { what: TEMPLATE_MODEL, id: template.id, name: template.friendly_name }
      return differing(about, stateProblem(template.status, state))
    })
  const strangers = found.filter(({ sid }) => !stored.some((each) => each.sid === sid))
  return [
    ...differences,
    ...strangers.map(({ name }) => ({ what: TEMPLATE_MODEL, name, message: `${NOT_HERE} ${SYNC}` })),
  ]
}

async function hasMessages({ platform }: TelcoParts): Promise<boolean> {
  return (await freshSettings(platform)).telcoRegion === MESSAGE_REGION
}

function stateProblem(here: string | null, there: string | undefined): string | undefined {
  return here === there ? undefined : `It is ${there} at the phone provider, and ${here} here.`
}

function differing(about: Omit<Difference, 'message'>, problem: string | undefined): Difference[] {
  return problem === undefined ? [] : [{ ...about, message: `${problem} ${SYNC}` }]
}

function unknown(
  what: string,
  found: readonly { sid: string; number: string }[],
  stored: readonly { sid: string | null }[],
): Difference[] {
  return found
    .filter(({ sid }) => !stored.some((each) => each.sid === sid))
    .map(({ number }) => ({ what, name: number, message: `${NOT_HERE} ${SYNC}` }))
}
