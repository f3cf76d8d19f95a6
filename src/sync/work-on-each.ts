import { asError } from '../errors.ts'
import type { AnyPush, StepContext } from './provider.ts'
import { requestPush } from './requests.ts'
import { inServiceEnv } from './service-env.ts'

/** Failures in a row after which the provider is left alone: the rest would only wait for as many time-outs. */
const SILENT_MAX = 3
/** What failed is tried again by itself, a little later. */
const RETRY_SECONDS = 30

/** One record, or one row of the provider's list, that a step works on. */
interface Target {
  id?: number | undefined
  name: string
}

/** Works on all of them even when some fail; those that failed. */
export async function workOnEach<Each extends Target>(
  context: StepContext,
  {
    model,
    targets,
    work,
    retry,
    isCountedLater = false,
  }: {
    model: string
    targets: readonly Each[]
    /** Returns in one word what was done, to be counted. */
    work(target: Each): Promise<string>
    retry?: (target: Each) => AnyPush
    /** They are worked on once more in the same step. */
    isCountedLater?: boolean
  },
): Promise<Set<Each>> {
  const { progress, provider } = context
  const failed = new Set<Each>()
  let hopeless: Error | undefined
  let silent = 0
  for await (const target of untilCancelled(progress, targets, isCountedLater)) {
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

/** Each of them, counted in the step's progress if this is the last time, until somebody cancels the run. */
async function* untilCancelled<Each>(
  progress: StepContext['progress'],
  targets: readonly Each[],
  isCountedLater: boolean,
): AsyncGenerator<Each> {
  if (!isCountedLater) await progress.expect(targets.length)
  for (const target of targets) {
    if (progress.isCancelled) return
    if (!isCountedLater) progress.countOne()
    yield target
  }
}

/** Has what failed in a run pushed once more after it, where that may help. */
export async function retryLater({ parts, provider }: StepContext, push: AnyPush, failure: Error): Promise<void> {
  if (!provider.errors.isRetriedAfterRun(failure)) return
  await inServiceEnv(parts, (env) => requestPush(env, provider, push, { delaySeconds: RETRY_SECONDS }))
}

async function failureOf(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work()
    return undefined
  } catch (thrown) {
    return asError(thrown)
  }
}
