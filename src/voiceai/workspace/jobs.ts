import { asError, Refusal } from '../../errors.ts'
import type { JobKind } from '../../jobs/queue.ts'
import { createRun, failRun, isSyncUnderWay } from '../../sync/sync-run.ts'
import { pushAgent, removeAgent } from '../agents/push-agent.ts'
import { pushNumber } from '../agents/push-number.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import { generateSpeech } from '../speech/speech.ts'
import { pushTool, removeTool } from '../tools/push-tool.ts'
import { PUSH_JOB, type Push } from './push-request.ts'
import { findObstacle } from './readiness.ts'
import { workOnRun } from './run.ts'
import { type QueuedRun, SYNC_JOB } from './run-request.ts'
import { freshSettings, inServiceEnv, type SyncParts } from './service-env.ts'
import { pushInitiation, pushPostCall } from './workspace.ts'

const CUT_OFF = 'It was cut off before it had ended. Run it again.'
const HOUR_SECONDS = 3_600

/** What the queue does for the voice-agent platform: runs, pushes of single records, and a check every night. */
export function voiceaiJobs(parts: SyncParts): JobKind[] {
  const sync: JobKind<QueuedRun> = {
    name: SYNC_JOB,
    // Only a run whose process went away is taken up again; what the platform refuses ends the run instead.
    attemptsMax: 3,
    retryDelaySeconds: 5,
    expireSeconds: HOUR_SECONDS,
    heartbeatSeconds: 30,
    pollSeconds: 2,
    work: (queued, { isLast }) => workOnQueuedRun(parts, queued, isLast),
  }
  const push: JobKind<Push> = {
    name: PUSH_JOB,
    // 30 s, 1 min, 2 min and so on: a platform that is away for an hour is caught up with.
    attemptsMax: 8,
    retryDelaySeconds: 30,
    expireSeconds: HOUR_SECONDS,
    heartbeatSeconds: 30,
    pollSeconds: 2,
    work: (queued) => workOnPush(parts, queued),
  }
  const check: JobKind = {
    name: 'voiceai-check',
    cron: '41 4 * * *',
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

/** Pushes one thing. Throws only when trying again may help; what the platform refuses is kept with the record. */
async function workOnPush(parts: SyncParts, push: Push): Promise<void> {
  if (findObstacle(await freshSettings(parts.platform)) !== undefined) return
  try {
    await pushOne(parts, push)
  } catch (error) {
    const isFinal = error instanceof VoiceaiError && error.kind !== 'busy' && error.kind !== 'unavailable'
    if (!isFinal && !(error instanceof Refusal)) throw error
    parts.platform.log.warn({ err: asError(error), push: push.kind }, 'a push to the voice-agent platform is given up')
  }
}

async function pushOne(parts: SyncParts, push: Push): Promise<unknown> {
  switch (push.kind) {
    case 'tool':
      return pushTool(parts, push.id)
    case 'agent':
      return pushAgent(parts, push.id, push)
    case 'number':
      return pushNumber(parts, push.id)
    case 'initiation':
      return pushInitiation(parts)
    case 'post-call':
      return pushPostCall(parts)
    case 'speech':
      return generateSpeech(parts, push.fileId)
    case 'remove-tool':
      return removeTool(parts, push.toolId)
    case 'remove-agent':
      return removeAgent(parts, push)
  }
}

/** The nightly check; there is nothing to compare while nothing is set up or everything is being changed. */
async function checkNow(parts: SyncParts): Promise<void> {
  if (findObstacle(await freshSettings(parts.platform)) !== undefined) return
  if (await isSyncUnderWay(parts.db, 'voiceai')) return
  const runId = await inServiceEnv(parts, (env) => createRun(env, { area: 'voiceai', kind: 'check' }))
  await workOnRun(parts, { runId, kind: 'check' })
}
