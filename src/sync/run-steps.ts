import { asError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { SyncProgress } from './sync-progress.ts'

/** Failures in a row after which the provider is left alone: the rest would only wait for as many time-outs. */
const SILENT_MAX = 3
/** Names that a summary repeats; all of them are in the run's errors. */
const NAMED_MAX = 20

/** How a run works: where it writes down what it does, and what failures of its provider mean. */
export interface StepParts<Push> {
  progress: SyncProgress
  log: Logger
  failures: {
    /** What a person is told. */
    sentenceOf(thrown: unknown): string
    /** Every further request would have the same answer. */
    isHopeless(failure: Error): boolean
    /** There was no answer at all. */
    isSilent(failure: Error): boolean
  }
  /** Has something tried again later, where trying again may help. */
  retryLater(push: Push, failure: Error): Promise<void>
}

export interface RunStep<Push> {
  name: string
  /** Without it nothing after it makes sense, and nothing has been changed yet. */
  isRequired?: boolean
  /** What is tried again later when the step as a whole fails. */
  retry?: Push
  run(parts: StepParts<Push>): Promise<unknown>
}

/** One record, or one row of the provider's list, that a step works on. */
export interface Target {
  id?: number | undefined
  name: string
}

/** Works through the steps and ends the run. Never throws for what the provider does: the run says what is not in step. */
export async function workThrough<Push>(
  parts: StepParts<Push>,
  steps: readonly RunStep<Push>[],
  { before, isComparison = false }: { before: (step: RunStep<Push>) => Promise<void>; isComparison?: boolean },
): Promise<void> {
  const { progress } = parts
  for (const step of steps) {
    await progress.step(step.name)
    const isDone = await attempt(parts, step, before)
    if (!isDone && step.isRequired === true) {
      await progress.end(`Stopped at "${step.name}", before anything was changed. Run it again.`)
      return
    }
  }
  await progress.end(summaryOf(progress, isComparison))
}

/** Works on all of them even when some fail; those that failed. */
export async function workOnEach<Push, Each extends Target>(
  parts: StepParts<Push>,
  {
    model,
    targets,
    work,
    retry,
  }: {
    model: string
    targets: readonly Each[]
    /** Tells in one word what was done, to be counted. */
    work(target: Each): Promise<string>
    retry?: (target: Each) => Push
  },
): Promise<Set<Each>> {
  const { progress, failures } = parts
  const failed = new Set<Each>()
  let hopeless: Error | undefined
  let silent = 0
  for (const target of targets) {
    const failure = hopeless ?? (await failureOf(async () => progress.count(await work(target))))
    silent = failure !== undefined && failures.isSilent(failure) ? silent + 1 : 0
    if (failure === undefined) continue
    if (failures.isHopeless(failure) || silent >= SILENT_MAX) hopeless = failure
    failed.add(target)
    await progress.count('failed')
    await progress.problem({ model, id: target.id, name: target.name, message: failures.sentenceOf(failure) })
    if (retry !== undefined) await parts.retryLater(retry(target), failure)
  }
  return failed
}

async function attempt<Push>(
  parts: StepParts<Push>,
  step: RunStep<Push>,
  before: (step: RunStep<Push>) => Promise<void>,
): Promise<boolean> {
  try {
    await before(step)
    await step.run(parts)
    return true
  } catch (thrown) {
    const failure = asError(thrown)
    parts.log.warn({ err: failure, step: step.name }, 'a step of a synchronisation failed')
    await parts.progress.problem({ message: parts.failures.sentenceOf(failure) })
    if (step.retry !== undefined) await parts.retryLater(step.retry, failure)
    return false
  }
}

async function failureOf(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work()
    return undefined
  } catch (thrown) {
    return asError(thrown)
  }
}

function summaryOf({ problems, differences }: SyncProgress, isComparison: boolean): string {
  // In a run that changes things, a difference is one that it has dealt with.
  if (problems.length === 0 && isComparison && differences.length > 0) {
    return `The provider differs from this service in ${differences.length} places.`
  }
  if (problems.length === 0) return 'Everything is in step.'
  const names = [...new Set(problems.map(({ name, step }) => name ?? step))]
  const others = names.length - NAMED_MAX
  const named = names.slice(0, NAMED_MAX).join(', ') + (others > 0 ? ` and ${others} others` : '')
  return `Not in step: ${named}. What can help is tried again by itself; it can also be run again.`
}
