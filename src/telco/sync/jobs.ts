import { asError, Refusal } from '../../errors.ts'
import type { JobKind } from '../../jobs/queue.ts'
import { createRun, failRun, isSyncUnderWay } from '../../sync/sync-run.ts'
import { pushApplication } from '../applications/push-application.ts'
import { pushCallerId, removeCallerId } from '../caller-ids/push-caller-id.ts'
import { pushNumber } from '../numbers/push-number.ts'
import { listPhones, pushCredential } from '../phone-users/push-credential.ts'
import { pushDomain, removeDomain } from '../sip-domains/push-domain.ts'
import { pushSender } from '../whatsapp/push-sender.ts'
import { isWorthRepeating, unlessMissing } from './push-outcome.ts'
import { PUSH_JOB, type Push } from './push-request.ts'
import { findObstacle } from './readiness.ts'
import { workOnRun } from './run.ts'
import { type QueuedRun, requestRun, SYNC_JOB } from './run-request.ts'
import { freshSettings, inSync, type SyncParts } from './sync-parts.ts'

const CUT_OFF = 'It was cut off before it had ended. Run it again.'
const HOUR_SECONDS = 3_600

/** What the queue does for the phone provider: runs, pushes of single records, and a check every night. */
export function telcoSyncJobs(parts: SyncParts): JobKind[] {
  const sync: JobKind<QueuedRun> = {
    name: SYNC_JOB,
    // Only a run whose process went away is taken up again; what the provider refuses ends the run instead.
    attemptsMax: 3,
    retryDelaySeconds: 5,
    expireSeconds: HOUR_SECONDS,
    heartbeatSeconds: 30,
    pollSeconds: 2,
    work: (queued, { isLast }) => workOnQueuedRun(parts, queued, isLast),
  }
  const push: JobKind<Push> = {
    name: PUSH_JOB,
    // 30 s, 1 min, 2 min and so on: a provider that is away for an hour is caught up with.
    attemptsMax: 8,
    retryDelaySeconds: 30,
    expireSeconds: HOUR_SECONDS,
    heartbeatSeconds: 30,
    pollSeconds: 2,
    work: (queued) => workOnPush(parts, queued),
  }
  const check: JobKind = {
    name: 'telco-check',
    cron: '13 5 * * *',
    attemptsMax: 2,
    retryDelaySeconds: 60,
    expireSeconds: HOUR_SECONDS,
    heartbeatSeconds: 30,
    work: () => checkNow(parts),
  }
  return [sync as JobKind, push as JobKind, check]
}

async function workOnQueuedRun(parts: SyncParts, { run_id: runId, kind }: QueuedRun, isLast: boolean): Promise<void> {
  try {
    await workOnRun(parts, { runId, kind })
  } catch (error) {
    if (isLast) await failRun(parts.db, runId, CUT_OFF)
    throw error
  }
}

/** Pushes one thing. Throws only when trying again may help; what the provider refuses is kept with the record. */
async function workOnPush(parts: SyncParts, push: Push): Promise<void> {
  if (findObstacle(await freshSettings(parts.platform)) !== undefined) return
  try {
    await pushOne(parts, push)
  } catch (thrown) {
    const error = asError(thrown)
    if (isWorthRepeating(error)) throw error
    parts.platform.log.warn({ err: error, push: push.kind }, 'a push to the phone provider is given up')
  }
}

async function pushOne(parts: SyncParts, push: Push): Promise<unknown> {
  switch (push.kind) {
    case 'application':
      return pushApplication(parts, push.id)
    case 'domain':
      return pushDomainAndPhones(parts, push.id)
    case 'credential':
      return pushCredential(parts, push.id)
    case 'number':
      return pushNumber(parts, push.id)
    case 'caller-id':
      return pushCallerId(parts, push.id)
    case 'sender':
      return pushSender(parts, push.id)
    case 'everything':
      return synchronise(parts)
    default:
      return remove(parts, push)
  }
}

type Removal = Extract<Push, { kind: `remove-${string}` }>

async function remove(parts: SyncParts, push: Removal): Promise<unknown> {
  const { account } = parts
  switch (push.kind) {
    case 'remove-application':
      return unlessMissing(() => account.applications.delete(push.sid))
    case 'remove-caller-id':
      return removeCallerId(parts, push.sid)
    case 'remove-template':
      return unlessMissing(() => account.contents.delete(push.sid))
    case 'remove-domain':
      return removeDomain(parts, push)
    case 'remove-credential':
      return unlessMissing(() => account.credentialLists.deleteCredential(push.listSid, push.sid))
  }
}

/** A domain that was just made has no phones yet. */
async function pushDomainAndPhones(parts: SyncParts, id: number): Promise<void> {
  await pushDomain(parts, id)
  const phones = (await listPhones(parts)).filter((phone) => phone.domain === id && phone.sid === null)
  for (const phone of phones) await workOnPush(parts, { kind: 'credential', id: phone.id })
}

/** Everything anew, with a run that shows how it goes; after the one that is under way, which began too early. */
async function synchronise(parts: SyncParts): Promise<void> {
  if (await isSyncUnderWay(parts.db, 'telco')) throw new Error('a synchronisation is under way')
  await inSync(parts, (env) => requestRun(env, 'sync'))
}

/** The nightly check; there is nothing to compare while nothing is set up or everything is being changed. */
async function checkNow(parts: SyncParts): Promise<void> {
  if (findObstacle(await freshSettings(parts.platform)) !== undefined) return
  if (await isSyncUnderWay(parts.db, 'telco')) return
  const runId = await inSync(parts, (env) => createRun(env, { area: 'telco', kind: 'check' })).catch(
    (error: unknown) => {
      if (error instanceof Refusal) return undefined
      throw error
    },
  )
  if (runId !== undefined) await workOnRun(parts, { runId, kind: 'check' })
}
