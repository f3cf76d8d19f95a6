import { asError } from '../errors.ts'
import type { SettingsSnapshot } from '../platform/settings/settings.ts'
import { compareAll } from './drift.ts'
import type { AnyPush, RunSentences, StepContext, SyncParts, SyncProvider, SyncStep } from './provider.ts'
import { enqueuePush } from './requests.ts'
import { freshSettings, inServiceEnv } from './service-env.ts'
import { type SyncProgress, withProgress } from './sync-progress.ts'
import type { RunKind } from './sync-run.ts'

/** Failures in a row after which the provider is left alone: the rest would only wait for as many time-outs. */
const SILENT_MAX = 3
/** What failed is tried again by itself, a little later. */
const RETRY_SECONDS = 30

/** One record, or one row of the provider's list, that a step works on. */
interface Target {
  id?: number | undefined
  name: string
}

/** Works through a run step by step. Never throws for what the provider does: the run says what is outdated. */
export async function workOnRun<Parts extends SyncParts, Push extends AnyPush>(
  provider: SyncProvider<Parts, Push>,
  parts: Parts,
  { runId, kind }: { runId: number; kind: RunKind },
): Promise<void> {
  await withProgress(parts.db, runId, async (progress) => {
    for (const step of stepsOf(provider, kind)) {
      await progress.step(step.name)
      const isDone = await attempt(provider, parts, { step, progress })
      if (!isDone && step.isRequired === true) {
        const { unchanged } = provider.sentences
        await progress.end(`Stopped at "${step.name}", before ${unchanged} was changed. Run it again.`)
        return
      }
    }
    const settings = await freshSettings(parts.platform)
    await progress.end(summaryOf(progress, { sentences: provider.sentences, settings, isCheck: kind === 'check' }))
  })
}

function stepsOf<Parts extends SyncParts, Push extends AnyPush>(
  provider: SyncProvider<Parts, Push>,
  kind: RunKind,
): readonly SyncStep<Parts, Push>[] {
  const steps = provider.steps[kind]
  if (steps === undefined) throw new Error(`there are no runs of the kind ${kind} with the ${provider.title}`)
  if (kind !== 'check') return steps
  return [...steps, { name: 'check', run: (parts, { progress }) => compareAll(provider, parts, progress) }]
}

async function attempt<Parts extends SyncParts, Push extends AnyPush>(
  provider: SyncProvider<Parts, Push>,
  parts: Parts,
  { step, progress }: { step: SyncStep<Parts, Push>; progress: SyncProgress },
): Promise<boolean> {
  const context = { parts, provider, progress }
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

/** Works on all of them even when some fail; those that failed. */
export async function workOnEach<Each extends Target>(
  context: StepContext,
  {
    model,
    targets,
    work,
    retry,
  }: {
    model: string
    targets: readonly Each[]
    /** Returns in one word what was done, to be counted. */
    work(target: Each): Promise<string>
    retry?: (target: Each) => AnyPush
  },
): Promise<Set<Each>> {
  const { progress, provider } = context
  const failed = new Set<Each>()
  let hopeless: Error | undefined
  let silent = 0
  for (const target of targets) {
    const failure = hopeless ?? (await failureOf(async () => progress.count(await work(target))))
    silent = failure !== undefined && provider.errors.isSilent(failure) ? silent + 1 : 0
    if (failure === undefined) continue
    if (provider.errors.isHopeless(failure) || silent >= SILENT_MAX) hopeless = failure
    failed.add(target)
    await progress.count('failed')
    await progress.problem({ model, id: target.id, name: target.name, message: provider.errors.sentenceOf(failure) })
    if (retry !== undefined) await retryLater(context, retry(target), failure)
  }
  return failed
}

async function retryLater({ parts, provider }: StepContext, push: AnyPush, failure: Error): Promise<void> {
  if (!provider.errors.isRetriedAfterRun(failure)) return
  await inServiceEnv(parts, (env) => enqueuePush(env, provider, push, { delaySeconds: RETRY_SECONDS }))
}

async function failureOf(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work()
    return undefined
  } catch (thrown) {
    return asError(thrown)
  }
}

function summaryOf(
  { problems, differences }: SyncProgress,
  { sentences, settings, isCheck }: { sentences: RunSentences; settings: SettingsSnapshot; isCheck: boolean },
): string {
  // In a run that changes things, a difference is one that it has dealt with.
  if (problems.length === 0 && isCheck && differences.length > 0) {
    return `The ${sentences.subject} differs from this service in ${differences.length} places.`
  }
  if (problems.length === 0) return sentences.inSync(settings)
  const names = [...new Set(problems.map(({ name, step }) => name ?? step))]
  const { namesMax = names.length } = sentences
  const others = names.length - namesMax
  const named = names.slice(0, namesMax).join(', ') + (others > 0 ? ` and ${others} others` : '')
  return `Not in sync: ${named}. ${sentences.remedy(settings)}`
}
