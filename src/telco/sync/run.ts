import { Refusal } from '../../errors.ts'
import { ProviderUnavailable } from '../../ports/telco-client.ts'
import { type RunStep, type StepParts, workThrough } from '../../sync/run-steps.ts'
import { type SyncProgress, withProgress } from '../../sync/sync-progress.ts'
import type { ListKind } from '../../sync/sync-run.ts'
import { syncApplications } from '../applications/push-application.ts'
import { syncCallerIds } from '../caller-ids/push-caller-id.ts'
import { CredentialsRefused } from '../client/failures.ts'
import { syncNumbers } from '../numbers/push-number.ts'
import { syncCredentials } from '../phone-users/push-credential.ts'
import { syncDomains } from '../sip-domains/push-domain.ts'
import { syncSenders } from '../whatsapp/push-sender.ts'
import { syncTemplates } from '../whatsapp/sync-templates.ts'
import { checkDrift } from './drift.ts'
import { isMissing, isWorthRepeating, sentenceOf } from './push-outcome.ts'
import { type Push, requestPush } from './push-request.ts'
import { requireReady } from './readiness.ts'
import type { TelcoRunKind } from './run-request.ts'
import { freshSettings, inSync, type SyncParts } from './sync-parts.ts'

/** What failed is tried again by itself, a little later. */
const RETRY_SECONDS = 30
const ACTIVE = 'active'
/** The provider handles messages in its main region only. */
const MESSAGE_REGION = 'us1'

type Work = (parts: SyncParts, step: StepParts<Push>) => Promise<void>

/** The provider's lists in their fixed order (docs/reference/domain.md#telephony-sync). */
const LISTS: readonly { kind: ListKind; name: string; isOfMessages?: boolean; work: Work }[] = [
  { kind: 'applications', name: 'applications', work: syncApplications },
  { kind: 'domains', name: 'SIP domains', work: syncDomainsAndPhones },
  { kind: 'numbers', name: 'numbers', work: syncNumbers },
  { kind: 'caller_ids', name: 'caller IDs', work: syncCallerIds },
  { kind: 'senders', name: 'WhatsApp senders', isOfMessages: true, work: syncSenders },
  { kind: 'templates', name: 'WhatsApp templates', isOfMessages: true, work: syncTemplates },
]

/** Works through a run step by step. Never throws for what the provider does: the run says what is not in step. */
export async function workOnRun(
  parts: SyncParts,
  { runId, kind }: { runId: number; kind: TelcoRunKind },
): Promise<void> {
  await withProgress(parts.db, runId, (progress) => workOnSteps(parts, progress, kind))
}

async function workOnSteps(parts: SyncParts, progress: SyncProgress, kind: TelcoRunKind): Promise<void> {
  const failures = {
    sentenceOf,
    isHopeless: (failure: Error) => failure instanceof CredentialsRefused,
    isSilent: (failure: Error) => failure instanceof ProviderUnavailable,
  }
  const retryLater = (push: Push, failure: Error) => retry(parts, push, failure)
  await workThrough<Push>({ progress, log: parts.platform.log, failures, retryLater }, stepsOf(parts, kind), {
    before: async () => requireReady(await freshSettings(parts.platform)),
    isComparison: kind === 'check',
  })
}

function stepsOf(parts: SyncParts, kind: TelcoRunKind): RunStep<Push>[] {
  const connection = { name: 'connection', isRequired: true, run: () => requireAccount(parts) }
  if (kind === 'check') return [connection, { name: 'check', run: ({ progress }) => checkDrift(parts, progress) }]
  const wanted = LISTS.filter((list) => kind === 'sync' || list.kind === kind)
  return [
    connection,
    ...wanted.map(({ name, work, isOfMessages = false }) => ({
      name,
      run: (step: StepParts<Push>) => (isOfMessages ? inMessageRegion(parts, step, work) : work(parts, step)),
    })),
  ]
}

/** Nothing is changed before it is known that the credentials open the account. */
async function requireAccount({ account }: SyncParts): Promise<void> {
  const status = await account.fetchStatus().catch((error: unknown) => {
    // Not every key may read the account; each list says for itself whether it may be read.
    if (!isMissing(error)) throw error
    return ACTIVE
  })
  if (status !== ACTIVE) throw new Refusal('refused', `The account at the phone provider is ${status}.`)
}

async function syncDomainsAndPhones(parts: SyncParts, step: StepParts<Push>): Promise<void> {
  await syncDomains(parts, step)
  await syncCredentials(parts, step)
}

async function inMessageRegion(parts: SyncParts, step: StepParts<Push>, work: Work): Promise<void> {
  const { telcoRegion } = await freshSettings(parts.platform)
  if (telcoRegion === MESSAGE_REGION) return work(parts, step)
  await step.progress.count('skipped')
  const message = `The phone provider has messages in the region ${MESSAGE_REGION} only; the settings say ${telcoRegion}.`
  await step.progress.difference({ what: 'region', message })
}

async function retry(parts: SyncParts, push: Push, failure: Error): Promise<void> {
  if (!isWorthRepeating(failure)) return
  await inSync(parts, (env) => requestPush(env, push, { delaySeconds: RETRY_SECONDS }))
}
