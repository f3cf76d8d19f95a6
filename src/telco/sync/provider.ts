import { Refusal } from '../../errors.ts'
import type { StepContext, SyncProvider, SyncStep } from '../../sync/provider.ts'
import { ifPresent, unlessRefused } from '../../sync/push.ts'
import { requestRun } from '../../sync/requests.ts'
import { pushesOf } from '../../sync/resource.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { isSyncUnderWay, type ListKind } from '../../sync/sync-run.ts'
import { applicationResource } from '../applications/application-resource.ts'
import { callerIdResource, syncCallerIds } from '../caller-ids/caller-id-resource.ts'
import { numberResource } from '../numbers/number-resource.ts'
import { phoneResource, syncPhones } from '../phone-users/phone-resource.ts'
import { listPhones } from '../phone-users/stored-phones.ts'
import { domainResource } from '../sip-domains/domain-resource.ts'
import { senderResource } from '../whatsapp/sender-resource.ts'
import { templateResource } from '../whatsapp/template-resource.ts'
import { type Push, TELCO, type TelcoParts } from './telco.ts'

const ACTIVE = 'active'
/** Names that a summary repeats; all of them are in the run's errors. */
const NAMES_MAX = 20

type Step = SyncStep<TelcoParts, Push>

const CONNECTION: Step = { name: 'connection', isRequired: true, run: requireAccount }

/** The provider's lists in their fixed order (docs/reference/domain.md#telephony-sync), by the kind of run of each alone. */
const LISTS: readonly (readonly [ListKind, Step])[] = [
  ['applications', applicationResource.step],
  ['domains', { ...domainResource.step, run: syncDomainsAndPhones }],
  ['numbers', numberResource.step],
  ['caller_ids', { ...callerIdResource.step, run: syncCallerIds }],
  ['senders', senderResource.step],
  ['templates', templateResource.step],
]

/** What saves push, in this order, and removals in the opposite one. */
export const TELCO_RESOURCES = [
  applicationResource,
  domainResource,
  phoneResource,
  numberResource,
  callerIdResource,
  senderResource,
  templateResource,
] as const

/** How this service synchronises with the phone provider. */
export const TELCO_SYNC: SyncProvider<TelcoParts, Push> = {
  ...TELCO,
  steps: {
    sync: [CONNECTION, ...LISTS.map(([, step]) => step)],
    ...Object.fromEntries(LISTS.map(([kind, step]) => [kind, [CONNECTION, step]])),
    check: [CONNECTION],
  },
  pushes: {
    ...pushesOf(TELCO_RESOURCES),
    domain: (parts, { id }) => pushDomainAndPhones(parts, id),
    everything: syncEverything,
  },
  // Phones are compared with their domains.
  drift: TELCO_RESOURCES.filter((each) => each !== phoneResource),
  checkCron: '13 5 * * *',
  sentences: {
    unchanged: 'anything',
    subject: 'Twilio',
    inSync: () => 'Everything is in sync.',
    remedy: () => 'What can help is tried again by itself; it can also be run again.',
    namesMax: NAMES_MAX,
  },
}

/** Nothing is changed before it is known that the credentials open the account. */
async function requireAccount({ account }: TelcoParts): Promise<void> {
  // Not every key may read the account; each list says for itself whether it may be read.
  const status = (await ifPresent(TELCO, () => account.fetchStatus())) ?? ACTIVE
  if (status !== ACTIVE) throw new Refusal('refused', 'account-at-phone-provider', { status })
}

async function syncDomainsAndPhones(parts: TelcoParts, context: StepContext): Promise<void> {
  await domainResource.sync(parts, context)
  await syncPhones(parts, context)
}

/** A domain that was just made has no phones yet. */
async function pushDomainAndPhones(parts: TelcoParts, id: number): Promise<void> {
  await domainResource.push(parts, id)
  const phones = (await listPhones(parts)).filter((phone) => phone.domain === id && phone.sid === null)
  for (const phone of phones) await unlessRefused(parts, TELCO, 'credential', () => phoneResource.push(parts, phone.id))
}

/** Everything anew, with a run that shows how it goes; after the one that is under way, which began too early. */
async function syncEverything(parts: TelcoParts): Promise<void> {
  if (await isSyncUnderWay(parts.db, 'telco')) throw new Error('a synchronisation is under way')
  await inServiceEnv(parts, (env) => requestRun(env, TELCO, 'sync'))
}
