import { asError, Refusal } from '../errors.ts'
import type { JobKind } from '../jobs/queue.ts'
import type { SettingsSnapshot } from '../platform/settings/settings.ts'
import type { AnyPush, Difference, RunSentences, StepContext, SyncParts, SyncProvider, SyncStep } from './provider.ts'
import { unlessRefused } from './push.ts'
import { pushJobName, type QueuedRun, syncJobName } from './requests.ts'
import { freshSettings, inServiceEnv } from './service-env.ts'
import { type SyncProgress, withProgress } from './sync-progress.ts'
import { createRun, failRun, isSyncUnderWay } from './sync-run.ts'
import { retryLater } from './work-on-each.ts'

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
    async work(queued, { isLast }) {
      try {
        await workOnRun(provider, parts, queued)
      } catch (error) {
        if (isLast) await failRun(parts.db, queued.run_id)
        throw error
      }
    },
  }
  const push: JobKind<Push> = {
    name: pushJobName(area),
    // 30 s, 1 min, 2 min and so on; a provider that is away is waited for.
    attemptsMax: 8,
    retryDelaySeconds: 30,
    waitsForPlaces: true,
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

async function workOnPush<Parts extends SyncParts, Push extends AnyPush>(
  provider: SyncProvider<Parts, Push>,
  parts: Parts,
  push: Push,
): Promise<void> {
  if (provider.findObstacle(await freshSettings(parts.platform), push) !== undefined) return
  const work: (parts: Parts, push: Push & { kind: Push['kind'] }) => Promise<unknown> =
    provider.pushes[push.kind as Push['kind']]
  await unlessRefused(parts, provider, push.kind, () => work(parts, push))
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
  if (runId !== undefined) await workOnRun(provider, parts, { run_id: runId, kind: 'check' })
}

/** Works through a run step by step. Never throws for what the provider does: the run says what is outdated. */
async function workOnRun<Parts extends SyncParts, Push extends AnyPush>(
  provider: SyncProvider<Parts, Push>,
  parts: Parts,
  { run_id: runId, kind }: QueuedRun,
): Promise<void> {
  const { steps, sentences, drift, title } = provider
  const isCheck = kind === 'check'
  const compare: SyncStep<Parts, Push> = { name: 'check', run: (_parts, context) => compareAll(drift, parts, context) }
  await withProgress(parts.db, runId, async (progress) => {
    const ofKind = steps[kind]
    if (ofKind === undefined) throw new Error(`there are no runs of the kind ${kind} with the ${title}`)
    const end = await workOnSteps(isCheck ? [...ofKind, compare] : ofKind, parts, { parts, provider, progress })
    if (end === 'cancelled') return progress.cancel()
    if (end !== undefined) {
      await progress.end(`Stopped at "${end.stoppedAt}", before ${sentences.unchanged} was changed. Run it again.`)
      return
    }
    const settings = await freshSettings(parts.platform)
    await progress.end(summaryOf(progress, { sentences, settings, isCheck }))
  })
}

/** Works on each; says why it did not come to the end of them. */
async function workOnSteps<Parts extends SyncParts, Push extends AnyPush>(
  steps: readonly SyncStep<Parts, Push>[],
  parts: Parts,
  context: StepContext,
): Promise<undefined | 'cancelled' | { stoppedAt: string }> {
  const { progress } = context
  progress.plan(steps.map(({ name }) => name))
  for (const step of steps) {
    await progress.step(step.name, { isPointOfNoReturn: step.isPointOfNoReturn === true })
    const isDone = !progress.isCancelled && (await attempt(step, parts, context))
    if (progress.isCancelled) return 'cancelled'
    progress.endStep(isDone)
    if (!isDone && step.isRequired === true) return { stoppedAt: step.name }
  }
  return undefined
}

async function attempt<Parts extends SyncParts, Push extends AnyPush>(
  step: SyncStep<Parts, Push>,
  parts: Parts,
  context: StepContext,
): Promise<boolean> {
  const { provider, progress } = context
  try {
    const settings = await freshSettings(parts.platform)
    provider.requireReady(settings)
    const skipped = step.skips?.(settings)
    if (skipped === undefined) {
      await step.run(parts, context)
      return true
    }
    await progress.count('skipped')
    if (skipped.difference !== undefined) await progress.difference(skipped.difference)
    return true
  } catch (thrown) {
    const failure = asError(thrown)
    parts.platform.log.warn({ err: failure, step: step.name }, 'a step of a synchronisation failed')
    await progress.problem({ message: provider.errors.sentenceOf(failure) })
    if (step.retry !== undefined) await retryLater(context, step.retry, failure)
    return false
  }
}

/** Compares what the provider holds with what this service holds, and shows every difference in the run. */
async function compareAll<Parts extends SyncParts>(
  drift: readonly { compare(parts: Parts): Promise<Difference[]> }[],
  parts: Parts,
  { progress }: StepContext,
): Promise<void> {
  const found: Difference[] = []
  for (const each of drift) found.push(...(await each.compare(parts)))
  for (const difference of found) await progress.difference(difference)
  await progress.count('differences', found.length)
}

function summaryOf(
  { problems, differences }: SyncProgress,
  { sentences, settings, isCheck }: { sentences: RunSentences; settings: SettingsSnapshot; isCheck: boolean },
): string {
  // In a run that changes things, a difference is one that it has dealt with.
  if (problems.length === 0 && isCheck && differences.length > 0) {
    const places = differences.length === 1 ? '1 place' : `${differences.length} places`
    return `Differs from ${sentences.subject} in ${places}.`
  }
  if (problems.length === 0) return sentences.inSync(settings)
  if (isCheck) return `Not compared with ${sentences.subject}. Fix what is in the way and check again.`
  const names = [...new Set(problems.map(({ name, step }) => name ?? step))]
  const { namesMax = names.length } = sentences
  const others = names.length - namesMax
  const named = names.slice(0, namesMax).join(', ') + (others > 0 ? ` and ${others} others` : '')
  return `Not in sync: ${named}. ${sentences.remedy(settings)}`
}
