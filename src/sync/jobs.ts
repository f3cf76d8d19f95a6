import { Refusal } from '../errors.ts'
import type { JobKind } from '../jobs/queue.ts'
import type { AnyPush, SyncParts, SyncProvider } from './provider.ts'
import { unlessRefused } from './push-failure.ts'
import { pushJobName, type QueuedRun, syncJobName } from './requests.ts'
import { workOnRun } from './run-steps.ts'
import { freshSettings, inServiceEnv } from './service-env.ts'
import { CUT_OFF, createRun, failRun, isSyncUnderWay } from './sync-run.ts'

/** An hour for one attempt, and another process takes it over when its own is gone. */
const LONG_WORK = { expireSeconds: 3_600, heartbeatSeconds: 30 }
const POLL_SECONDS = 2

/** What the queue does for a provider: runs, pushes of single records, and a check every night. */
export function syncJobs<Parts extends SyncParts, Push extends AnyPush>(
  provider: SyncProvider<Parts, Push>,
  parts: Parts,
): JobKind[] {
  const { area, checkCron: cron } = provider
  const sync: JobKind<QueuedRun> = {
    name: syncJobName(area),
    // Only a run whose process went away is taken up again; what the provider refuses ends the run instead.
    attemptsMax: 3,
    retryDelaySeconds: 5,
    ...LONG_WORK,
    pollSeconds: POLL_SECONDS,
    work: (queued, { isLast }) => workOnQueuedRun(provider, parts, { queued, isLast }),
  }
  const push: JobKind<Push> = {
    name: pushJobName(area),
    // 30 s, 1 min, 2 min and so on: a provider that is away for an hour is caught up with.
    attemptsMax: 8,
    retryDelaySeconds: 30,
    ...LONG_WORK,
    pollSeconds: POLL_SECONDS,
    work: (queued) => workOnPush(provider, parts, queued),
  }
  const check: JobKind = {
    name: `${area}-check`,
    cron,
    attemptsMax: 2,
    retryDelaySeconds: 60,
    ...LONG_WORK,
    work: () => checkNow(provider, parts),
  }
  return [sync as JobKind, push as JobKind, check]
}

async function workOnQueuedRun<Parts extends SyncParts, Push extends AnyPush>(
  provider: SyncProvider<Parts, Push>,
  parts: Parts,
  { queued: { run_id: runId, kind }, isLast }: { queued: QueuedRun; isLast: boolean },
): Promise<void> {
  try {
    await workOnRun(provider, parts, { runId, kind })
  } catch (error) {
    if (isLast) await failRun(parts.db, runId, CUT_OFF)
    throw error
  }
}

async function workOnPush<Parts extends SyncParts, Push extends AnyPush>(
  provider: SyncProvider<Parts, Push>,
  parts: Parts,
  push: Push,
): Promise<void> {
  if (provider.findObstacle(await freshSettings(parts.platform)) !== undefined) return
  await unlessRefused(parts, provider, push.kind, () => provider.push(parts, push))
}

/** The nightly check; there is nothing to compare while nothing is set up or everything is being changed. */
async function checkNow<Parts extends SyncParts, Push extends AnyPush>(
  provider: SyncProvider<Parts, Push>,
  parts: Parts,
): Promise<void> {
  const { area } = provider
  if (provider.findObstacle(await freshSettings(parts.platform)) !== undefined) return
  if (await isSyncUnderWay(parts.db, area)) return
  const runId = await inServiceEnv(parts, (env) => createRun(env, { area, kind: 'check' })).catch((error: unknown) => {
    // Somebody else compares already.
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (runId !== undefined) await workOnRun(provider, parts, { runId, kind: 'check' })
}
