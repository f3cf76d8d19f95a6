import type { Database } from '../database/database.ts'
import type { Env, Platform } from '../platform/access/env.ts'
import type { Identities } from '../platform/identity/identities.ts'
import type { SettingsSnapshot } from '../platform/settings/settings.ts'
import type { Said } from '../refusals.ts'
import type { SyncProgress } from './sync-progress.ts'
import type { RunKind, SyncArea } from './sync-run.ts'

/** What synchronising works with; each provider adds its client. */
export interface SyncParts {
  db: Database
  platform: Platform
  /** Given where records name the webhook's identity as their creator; otherwise they name nobody. */
  identities?: Identities
}

/** One thing that a provider is to hold as this service does. Ids, not records: what is pushed is what is stored by then. */
export interface AnyPush {
  kind: string
}

/** What has to be known of a provider before anything is pushed to it or compared with it. */
export interface ProviderRules<Push extends AnyPush = AnyPush, Kind extends RunKind = RunKind> {
  area: SyncArea
  /** As the log names it. */
  title: string
  errors: ProviderErrors
  /** Why nothing is pushed by itself, or not this; undefined when it is. */
  findObstacle(settings: SettingsSnapshot, push?: Push): Said | undefined
  /** Whether what is saved in this environment is pushed by itself; without it, all of it is. */
  queuesOnSave?(env: Env, isNeededAtOnce: boolean): Promise<boolean>
  /** Throws a refusal with the sentence when the provider cannot be asked for anything yet, or not for a run of the kind. */
  requireReady(settings: SettingsSnapshot, kind?: Kind): unknown
  /** Says only what can be pushed. */
  readonly push?: Push
}

/** What failures of a provider mean. */
interface ProviderErrors {
  /** What a person reads. */
  sentenceOf(thrown: unknown): string
  /** Every further request would have the same answer. */
  isHopeless(failure: Error): boolean
  /** There was no answer at all. */
  isSilent(failure: Error): boolean
  /** The provider does not know what it is asked about. */
  isMissing(thrown: unknown): boolean
  /** What was to be created may be there, although nobody said so, or was there before. */
  mayExist(thrown: unknown): boolean
  /** Trying again by itself may help: nothing was refused for a reason that stays. */
  isWorthRepeating(failure: Error): boolean
  /** Whether what failed in a run is pushed once more after it. */
  isRetriedAfterRun(failure: Error): boolean
}

/** One provider, as the engine synchronises with it. */
export interface SyncProvider<Parts extends SyncParts, Push extends AnyPush> extends ProviderRules<Push> {
  /** Steps of each kind of run, in their fixed order; a check goes on to compare. */
  steps: Readonly<Partial<Record<RunKind, readonly SyncStep<Parts, Push>[]>>>
  /** How each thing is pushed. */
  pushes: { readonly [Kind in Push['kind']]: (parts: Parts, push: Push & { kind: Kind }) => Promise<unknown> }
  /** Comparisons of what the provider holds with what this service holds. They change nothing at the provider. */
  drift: readonly { compare(parts: Parts): Promise<Difference[]> }[]
  /** When everything is compared each night: a cron expression, in UTC. */
  checkCron: string
  sentences: RunSentences
}

export interface SyncStep<Parts extends SyncParts, Push extends AnyPush> {
  name: string
  /** Without it nothing after it makes sense, and nothing has been changed yet. */
  isRequired?: boolean
  /** What agents prove themselves with changes here: from this step on the run is not cancelled any more. */
  isPointOfNoReturn?: boolean
  /** What is pushed later when the step as a whole fails. */
  retry?: Push
  /** Whether the settings leave it out; a difference says why. */
  skips?(settings: SettingsSnapshot): { difference?: object } | undefined
  run(parts: Parts, context: StepContext): Promise<unknown>
}

/** The run that a step belongs to. */
export interface StepContext {
  parts: SyncParts
  provider: ProviderRules
  progress: SyncProgress
}

/** What a run says at its end. */
export interface RunSentences {
  /** What no stopped run has changed. */
  unchanged: string
  /** Who differs, in a comparison. */
  subject: string
  /** Nothing is outdated. */
  inSync(settings: SettingsSnapshot): string
  /** What becomes of what is outdated. */
  remedy(settings: SettingsSnapshot): string
  /** Names that a summary repeats; all of them are in the run's errors. */
  namesMax?: number
}

/** Something that the provider holds in another way than this service, and what to do about it. Never shows a secret. */
export interface Difference {
  what: string
  id?: number | undefined
  name?: string | undefined
  message: string
}

/** What a check says of a record that waits for its push. */
export const NOT_PUSHED = 'It was changed here and has not been pushed.'

/** The difference that a problem is; none without a problem. */
export function differing(
  about: Omit<Difference, 'message'>,
  problem: string | undefined,
  say = (found: string) => `${found} Sync now.`,
): Difference[] {
  return problem === undefined ? [] : [{ ...about, message: say(problem) }]
}
