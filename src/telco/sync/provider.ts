import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import type { Difference, StepContext, SyncProvider, SyncStep } from '../../sync/provider.ts'
import { ifPresent, unlessMissing, unlessRefused } from '../../sync/push.ts'
import { requestRun } from '../../sync/requests.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import { isSyncUnderWay } from '../../sync/sync-run.ts'
import { compareApplications, pushApplication, syncApplications } from '../applications/push-application.ts'
import { compareCallerIds, pushCallerId, syncCallerIds } from '../caller-ids/push-caller-id.ts'
import { compareNumbers, pushNumber, syncNumbers } from '../numbers/push-number.ts'
import { listPhones, pushCredential, syncCredentials } from '../phone-users/push-credential.ts'
import { pushDomain, removeDomain, syncDomains } from '../sip-domains/push-domain.ts'
import { compareSenders, pushSender, syncSenders } from '../whatsapp/push-sender.ts'
import { compareTemplates, syncTemplates } from '../whatsapp/sync-templates.ts'
import { compareDomains } from './compare-domains.ts'
import { MESSAGE_REGION } from './readiness.ts'
import { type Push, TELCO, type TelcoParts, type TelcoRunKind } from './telco.ts'

const ACTIVE = 'active'
/** Names that a summary repeats; all of them are in the run's errors. */
const NAMES_MAX = 20

type Step = SyncStep<TelcoParts, Push>

const CONNECTION: Step = { name: 'connection', isRequired: true, run: requireAccount }
const APPLICATIONS: Step = { name: 'applications', run: syncApplications }
const DOMAINS: Step = { name: 'SIP domains', run: syncDomainsAndPhones }
const NUMBERS: Step = { name: 'numbers', run: syncNumbers }
const CALLER_IDS: Step = { name: 'caller IDs', run: syncCallerIds }
const SENDERS: Step = { name: 'WhatsApp senders', skips: outsideMessageRegion, run: syncSenders }
const TEMPLATES: Step = { name: 'WhatsApp templates', skips: outsideMessageRegion, run: syncTemplates }

/** The provider's lists in their fixed order (docs/reference/domain.md#telephony-sync). */
const STEPS: Readonly<Record<TelcoRunKind, readonly Step[]>> = {
  sync: [CONNECTION, APPLICATIONS, DOMAINS, NUMBERS, CALLER_IDS, SENDERS, TEMPLATES],
  applications: [CONNECTION, APPLICATIONS],
  domains: [CONNECTION, DOMAINS],
  numbers: [CONNECTION, NUMBERS],
  caller_ids: [CONNECTION, CALLER_IDS],
  senders: [CONNECTION, SENDERS],
  templates: [CONNECTION, TEMPLATES],
  check: [CONNECTION],
}

/** How this service synchronises with the phone provider. */
export const TELCO_SYNC: SyncProvider<TelcoParts, Push> = {
  ...TELCO,
  steps: STEPS,
  pushes: {
    application: (parts, { id }) => pushApplication(parts, id),
    domain: (parts, { id }) => pushDomainAndPhones(parts, id),
    credential: (parts, { id }) => pushCredential(parts, id),
    number: (parts, { id }) => pushNumber(parts, id),
    'caller-id': (parts, { id }) => pushCallerId(parts, id),
    sender: (parts, { id }) => pushSender(parts, id),
    everything: syncEverything,
    'remove-application': ({ account }, { sid }) => unlessMissing(TELCO, () => account.applications.delete(sid)),
    'remove-caller-id': ({ account }, { sid }) => unlessMissing(TELCO, () => account.callerIds.delete(sid)),
    'remove-template': ({ account }, { sid }) => unlessMissing(TELCO, () => account.contents.delete(sid)),
    'remove-domain': removeDomain,
    'remove-credential': ({ account }, { sid, listSid }) =>
      unlessMissing(TELCO, () => account.credentialLists.deleteCredential(listSid, sid)),
  },
  drift: [
    compareApplications,
    compareDomains,
    compareNumbers,
    compareCallerIds,
    whereMessagesAre(compareSenders),
    whereMessagesAre(compareTemplates),
  ],
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
  await syncDomains(parts, context)
  await syncCredentials(parts, context)
}

/** A domain that was just made has no phones yet. */
async function pushDomainAndPhones(parts: TelcoParts, id: number): Promise<void> {
  await pushDomain(parts, id)
  const phones = (await listPhones(parts)).filter((phone) => phone.domain === id && phone.sid === null)
  for (const phone of phones) await unlessRefused(parts, TELCO, 'credential', () => pushCredential(parts, phone.id))
}

/** Everything anew, with a run that shows how it goes; after the one that is under way, which began too early. */
async function syncEverything(parts: TelcoParts): Promise<void> {
  if (await isSyncUnderWay(parts.db, 'telco')) throw new Error('a synchronisation is under way')
  await inServiceEnv(parts, (env) => requestRun(env, TELCO, 'sync'))
}

function outsideMessageRegion({ telcoRegion }: SettingsSnapshot): { difference: object } | undefined {
  if (telcoRegion === MESSAGE_REGION) return undefined
  const message = `Twilio has messages in the region ${MESSAGE_REGION} only; the settings say ${telcoRegion}.`
  return { difference: { what: 'region', message } }
}

function whereMessagesAre(compare: (parts: TelcoParts) => Promise<Difference[]>): typeof compare {
  return async (parts) =>
    outsideMessageRegion(await freshSettings(parts.platform)) === undefined ? compare(parts) : []
}
