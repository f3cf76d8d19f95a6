import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import type { StepContext, SyncProvider, SyncStep } from '../../sync/provider.ts'
import { syncApplications } from '../applications/push-application.ts'
import { syncCallerIds } from '../caller-ids/push-caller-id.ts'
import { syncNumbers } from '../numbers/push-number.ts'
import { syncCredentials } from '../phone-users/push-credential.ts'
import { syncDomains } from '../sip-domains/push-domain.ts'
import { syncSenders } from '../whatsapp/push-sender.ts'
import { syncTemplates } from '../whatsapp/sync-templates.ts'
import {
  compareApplications,
  compareCallerIds,
  compareDomains,
  compareNumbers,
  compareSenders,
  compareTemplates,
} from './drift.ts'
import { isMissing } from './errors.ts'
import { pushOne } from './push-one.ts'
import { type Push, TELCO } from './push-request.ts'
import { MESSAGE_REGION, requireReady } from './readiness.ts'
import type { TelcoRunKind } from './run-request.ts'
import type { TelcoParts } from './telco-parts.ts'

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
  push: pushOne,
  drift: [compareApplications, compareDomains, compareNumbers, compareCallerIds, compareSenders, compareTemplates],
  checkCron: '13 5 * * *',
  requireReady,
  sentences: {
    unchanged: 'anything',
    subject: 'provider',
    inSync: () => 'Everything is in sync.',
    remedy: () => 'What can help is tried again by itself; it can also be run again.',
    namesMax: NAMES_MAX,
  },
}

/** Nothing is changed before it is known that the credentials open the account. */
async function requireAccount({ account }: TelcoParts): Promise<void> {
  const status = await account.fetchStatus().catch((error: unknown) => {
    // Not every key may read the account; each list says for itself whether it may be read.
    if (!isMissing(error)) throw error
    return ACTIVE
  })
  if (status !== ACTIVE) throw new Refusal('refused', `The account at the phone provider is ${status}.`)
}

async function syncDomainsAndPhones(parts: TelcoParts, context: StepContext): Promise<void> {
  await syncDomains(parts, context)
  await syncCredentials(parts, context)
}

function outsideMessageRegion({ telcoRegion }: SettingsSnapshot): { difference: object } | undefined {
  if (telcoRegion === MESSAGE_REGION) return undefined
  const message = `The phone provider has messages in the region ${MESSAGE_REGION} only; the settings say ${telcoRegion}.`
  return { difference: { what: 'region', message } }
}
