import { isDeepStrictEqual } from 'node:util'
import { type SQL, sql } from '../database/drizzle.ts'
import type { Env } from '../platform/access/env.ts'
import type { Extension } from '../platform/model/extend.ts'
import type { Model, ModelOf } from '../platform/model/model.ts'
import { notifyChanged } from '../platform/records/notify-changed.ts'
import type { SettingsSnapshot } from '../platform/settings/settings.ts'
import {
  type Difference,
  differing,
  NOT_PUSHED,
  type ProviderRules,
  type StepContext,
  type SyncParts,
  type SyncStep,
} from './provider.ts'
import { createOrFind, pushRecord, savePushed, saveSyncError, unlessMissing } from './push.ts'
import { type QueuedPushes, queuedBy } from './queued-pushes.ts'
import { type GoneSentences, removeGone } from './remove-gone.ts'
import { freshSettings, inServiceEnv } from './service-env.ts'
import type { ListChange } from './shrinkage.ts'
import { workOnEach } from './work-on-each.ts'

/** How the provider calls one thing that it holds, and what else it told of one that it just made. */
interface Held<Told = unknown> {
  uid: string
  told?: Told
}

/** What is saved with a record once the provider holds it. */
interface Saved {
  set: SQL
  /** Whether open pages show something of it. */
  isNotified: boolean
  /** In the same transaction. */
  andThen?(env: Env): Promise<void> | undefined
}

/** What a resource is about: our record, what we want of it, what the provider lists, how it is named when it is removed. */
interface ResourceTypes {
  /** With a mark `synced`, only a run pushes what is in sync already, and a check says what has not been pushed. */
  stored: { id: number; synced?: boolean | null; sync_error?: string | null }
  wanted: unknown
  there: unknown
  gone: object
  /** What a push is told beside the id of the record. */
  options?: object
  /** What the provider tells only when it makes one. */
  told?: unknown
}

/** What a push goes by, beside the record. */
interface Occasion<Of extends ResourceTypes> {
  settings: SettingsSnapshot
  options?: Of['options'] | undefined
}

/**
 * One kind of thing that a provider holds for this service. Runs, pushes on save and on removal, retries, adoption, drift and
 * the check follow from it. An optional part is one that the kind does not have.
 */
type ResourceDeclaration<Parts extends SyncParts, Kind extends string, Of extends ResourceTypes> = Described<
  Parts,
  Kind,
  Of
> &
  OfModel<Parts, Of>

/** The model of our records. What keeps a push from the provider is saved in its `sync_error`; what is only taken over has none. */
type OfModel<Parts, Of extends ResourceTypes> =
  | { model: ModelOf<{ sync_error: string | null }>; mirror?: Mirror<Parts, Of> }
  | { model: Model; mirror: Mirror<Parts, Of, undefined> }

interface Described<Parts extends SyncParts, Kind extends string, Of extends ResourceTypes> extends QueuedPushes {
  /** Names its push; `remove-` and this name its removal. */
  kind: Kind
  /** What a run calls the step that is about it. */
  step: string
  /** Whether the settings leave it out of runs and checks; a difference says why. */
  skips?(settings: SettingsSnapshot): { difference?: object } | undefined

  /** What we hold, as it is stored: all of them, or one. */
  list(parts: Parts, id?: number): Promise<Of['stored'][]>
  nameOf(stored: Of['stored']): string
  /** How the provider calls it, as far as we know. */
  uidOf(stored: Of['stored']): string | null
  /** How it called it before, where that may still be right. */
  olderUidOf?(stored: Of['stored']): string | null
  /** What the provider is to hold. */
  wanted(parts: Parts, stored: Of['stored'], occasion: Occasion<Of>): Of['wanted'] | Promise<Of['wanted']>

  /** What the provider holds, in one of its lists where it has several. */
  actual(parts: Parts, list?: string): Promise<Of['there'][]>
  match(stored: Of['stored'], actual: readonly Of['there'][]): Of['there'] | undefined
  /**
   * What it holds of one record, for a push outside a run. Without it, a push updates what has an id without a look, and
   * what the provider does not know is made.
   */
  find?(parts: Parts, stored: Of['stored']): Promise<Of['there'] | undefined>
  /** What the provider lists does not tell whether all of it is as wanted: a run asks for no list, and updates each. */
  isUpdatedUnseen?: boolean
  idThere(there: Of['there']): string
  /** What an update mends, in one sentence; undefined when nothing. */
  problem(wanted: Of['wanted'], there: Of['there'], stored: Of['stored']): string | undefined
  drift: Drift<Parts, Of>

  /** Why it is left alone, in a word that is counted; asked once before the provider is, and once with what it holds. */
  blocked?(stored: Of['stored'], there?: Of['there']): string | undefined
  /** What has to be there before; pushed before other pushes of the record have to wait. */
  needs?(parts: Parts, id: number): Promise<unknown>
  /** The same, where the record says so when it fails; the record as it is stored then. */
  prepare?(parts: Parts, stored: Of['stored']): Promise<Of['stored']>
  /** Whether a push with these options goes on with what is in sync already. */
  forces?(options: Of['options'] | undefined): boolean

  /** Throws when it cannot be made. Without it, only the provider makes it, and `drift.absent` is thrown. */
  create?(parts: Parts, wanted: Of['wanted'], stored: Of['stored']): Promise<Held<Of['told']>>
  /** Notes with the record what is asked for, before it is made; the record with it. What is found by it is ours. */
  ask?(parts: Parts, wanted: Of['wanted'], stored: Of['stored']): Promise<Of['stored']>
  /** What may have been made by an attempt that was cut off; looked for before one is made. */
  findLeft?(parts: Parts, wanted: Of['wanted'], stored: Of['stored']): Promise<Held<Of['told']> | undefined>
  /** What was made although nobody said so; else it is matched in what the provider holds then. */
  findMade?(parts: Parts, wanted: Of['wanted'], stored: Of['stored']): Promise<Held<Of['told']> | undefined>
  update?(parts: Parts, held: Held, wanted: Of['wanted'], stored: Of['stored']): Promise<unknown>
  /** What else belongs to it, set before it is saved; whether something was changed. Throws what keeps it from working. */
  settle?(parts: Parts, there: Of['there'], settings: SettingsSnapshot): Promise<boolean>
  /** What is saved with the record besides that it is in sync. */
  saved?(
    stored: Of['stored'],
    held: Held<Of['told']>,
    by: { parts: Parts; wanted: Of['wanted']; options: Of['options'] | undefined },
  ): Saved
  /** What is set up inside it, once it is saved; whether something was changed. */
  provide?(parts: Parts, stored: Of['stored'], held: Held, options: Of['options'] | undefined): Promise<boolean>

  removal?: Removal<Parts, Of>
}

/** What a comparison says. */
interface Drift<Parts, Of extends ResourceTypes> {
  /** What it calls the thing; else its model. */
  what?: string
  /** A problem, and what to do about it; else to sync. */
  say?(problem: string): string
  /** Of what the provider does not have. */
  absent(stored: Of['stored']): Error | string | undefined
  /** What it says besides what an update mends. */
  also?(
    parts: Parts,
    stored: Of['stored'],
    found: { there: Of['there']; problem: string | undefined },
  ): string | undefined | Promise<string | undefined>
  /** Differences inside of what is there. */
  within?(
    parts: Parts,
    stored: Of['stored'],
    found: { there: Of['there']; problem: string | undefined },
  ): Promise<Difference[]>
  /** What only the provider has. */
  strangers?(actual: readonly Of['there'][], stored: readonly Of['stored'][], settings: SettingsSnapshot): Difference[]
}

interface Removal<Parts, Of extends ResourceTypes> {
  /** How the provider names what is to go. */
  of(stored: Of['stored'], held: Held): Of['gone']
  /** The same of records that are about to be removed here, of those that the provider has: a push removes each. */
  read(env: Env, ids: readonly number[]): Promise<Of['gone'][]>
  /** Where it may be gone already. */
  remove(parts: Parts, gone: Of['gone']): Promise<unknown>
  /** Whether the provider is not to hold it any more, although its record stays. */
  isDue?(stored: Of['stored']): boolean
  /** What is saved with the record then. */
  cleared?(parts: Parts, stored: Of['stored']): SQL
}

/** Of what comes into being at the provider: its list decides which records there are here. */
interface Mirror<Parts, Of extends ResourceTypes, Taken = number | undefined> {
  /** Which of theirs are taken over: those that are new, all pushed after it; or all, each pushed at once. */
  takes: 'new' | 'all'
  nameThere(there: Of['there']): string
  /** Our record of it. */
  same(there: Of['there'], stored: readonly Of['stored'][]): Of['stored'] | undefined
  /** Saves what the provider says of it; the id of its record, which is pushed then, and what was done in a word that is counted. */
  take(parts: Parts, there: Of['there'], stored: readonly Of['stored'][]): Promise<{ id: Taken; outcome: string }>
  /** Whether our record counts as one that the provider listed before; else each that has an id. */
  isKnown?(stored: Of['stored']): boolean
  gone: GoneSentences & {
    doubt(change: ListChange): string
    /** What becomes of each here, and how that is counted, where it is not removed. */
    instead?: { count: string; work(parts: Parts, id: number): Promise<unknown> }
  }
}

/** What a run had listed when it began, and how the record was called then: another push may have made it since. */
interface Listed<There> {
  uid: string | null
  actual: readonly There[]
}

/** A push of one record: what the run that it belongs to had listed, and what else it is told. */
interface PushAsked<Of extends ResourceTypes> {
  listed?: Listed<Of['there']> | undefined
  options?: Of['options'] | undefined
}

type Pushes<Parts, Kind extends string, Of extends ResourceTypes> = Record<
  Kind,
  (parts: Parts, push: { id: number } & Of['options']) => Promise<string>
> &
  Record<`remove-${Kind}`, (parts: Parts, gone: Of['gone']) => Promise<boolean>>

/** All of these at once. */
type Together<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer All) => void
  ? All
  : never

/** What the queue does of all of these resources. */
export function pushesOf<Each extends { pushes: object }>(resources: readonly Each[]): Together<Each['pushes']> {
  return Object.assign({}, ...resources.map(({ pushes }) => pushes)) as Together<Each['pushes']>
}

/** What follows from a declaration. */
export class Resource<Parts extends SyncParts, Kind extends string, Of extends ResourceTypes> {
  readonly #declared: ResourceDeclaration<Parts, Kind, Of>
  readonly #provider: ProviderRules
  /** The name of the model of our records. */
  readonly #model: string

  constructor(provider: ProviderRules, declared: ResourceDeclaration<Parts, Kind, Of>) {
    this.#provider = provider
    this.#declared = declared
    this.#model = declared.model.name
  }

  /** The step of a run. */
  get step(): SyncStep<Parts, never> {
    return this.stepWith(undefined)
  }

  /** The step of a run, whose pushes are told something. */
  stepWith(options: Of['options'] | undefined): SyncStep<Parts, never> {
    const { step: name, skips } = this.#declared
    const run: SyncStep<Parts, never>['run'] = (parts, context) => this.sync(parts, context, options)
    return { name, run, ...(skips === undefined ? {} : { skips }) }
  }

  /** What saving and removing records of a model queues of it. */
  queuedBy(model: string): Extension[] {
    return queuedBy(model, this.#provider, this.#declared)
  }

  /** What the queue does of it. */
  get pushes(): Pushes<Parts, Kind, Of> {
    const { kind } = this.#declared
    return {
      [kind]: (parts: Parts, push: { id: number } & Of['options']) => this.push(parts, push.id, { options: push }),
      [`remove-${kind}`]: (parts: Parts, gone: Of['gone']) => this.remove(parts, gone),
    } as Pushes<Parts, Kind, Of>
  }

  /**
   * Brings what the provider holds of one record in sync with it; outside a run, not what counts as in sync. Throws, and
   * saves why.
   */
  async push(parts: Parts, id: number, { listed, options }: PushAsked<Of> = {}): Promise<string> {
    const model = this.#model
    const { kind, list, needs, forces } = this.#declared
    const isForced = listed !== undefined || forces?.(options) === true
    await needs?.(parts, id)
    return pushRecord<Of['stored'], string>(parts, this.#provider, {
      model,
      what: kind.replaceAll('-', ' '),
      id,
      find: async () => (await list(parts, id)).find(({ synced }) => isForced || synced !== true),
      push: (stored, settings) => this.#bring(parts, stored, { settings, listed, options }),
    })
  }

  /** Removes at the provider what may be gone already; false when it was. */
  remove(parts: Parts, gone: Of['gone']): Promise<boolean> {
    const { kind, removal } = this.#declared
    if (removal === undefined) throw new Error(`nothing removes a thing of the kind ${kind} at a provider`)
    return unlessMissing(this.#provider, () => removal.remove(parts, gone))
  }

  async #bring(
    parts: Parts,
    known: Of['stored'],
    { listed, ...occasion }: Occasion<Of> & PushAsked<Of>,
  ): Promise<string> {
    const { uidOf, match, find, blocked, prepare, settle, provide, removal } = this.#declared
    if (removal?.isDue?.(known)) return this.#takeAway(parts, known, removal)
    const stored = (await prepare?.(parts, known)) ?? known
    const isLeft = blocked?.(stored)
    if (isLeft !== undefined) return isLeft
    const isListed = listed !== undefined && listed.uid === uidOf(stored)
    const there = isListed ? match(stored, listed.actual) : await find?.(parts, stored)
    const isHeld = there === undefined ? undefined : blocked?.(stored, there)
    if (isHeld !== undefined) return isHeld
    const { wanted, held, outcome } = await this.#hold(parts, { stored, there, occasion })
    const isSettled = there !== undefined && (await settle?.(parts, there, occasion.settings)) === true
    if (!(await this.#save(parts, { stored, held, wanted, options: occasion.options }))) return 'unchanged'
    const isProvided = (await provide?.(parts, stored, held, occasion.options)) === true
    return outcome === 'unchanged' && (isSettled || isProvided) ? 'updated' : outcome
  }

  async #hold(
    parts: Parts,
    { stored, there, occasion }: { stored: Of['stored']; there: Of['there'] | undefined; occasion: Occasion<Of> },
  ): Promise<{ wanted: Of['wanted']; held: Held<Of['told']>; outcome: string }> {
    const { wanted: wantedOf, create, drift } = this.#declared
    const wanted = await wantedOf(parts, stored, occasion)
    const held = await this.#updateSeen(parts, { stored, wanted, there })
    if (held !== undefined) return { wanted, ...held }
    const uid = await this.#updateUnseen(parts, stored, wanted)
    if (uid !== undefined) return { wanted, held: { uid }, outcome: 'updated' }
    if (create !== undefined) return { wanted, ...(await this.#make(parts, wanted, stored)) }
    const absent = drift.absent(stored)
    throw absent instanceof Error ? absent : new Error(absent)
  }

  /** Updates what was found, where it differs; what was found in a list that is not read for each push may be gone by now. */
  async #updateSeen(
    parts: Parts,
    { stored, wanted, there }: { stored: Of['stored']; wanted: Of['wanted']; there: Of['there'] | undefined },
  ): Promise<{ held: Held; outcome: string } | undefined> {
    const { uidOf, problem, find, idThere, update } = this.#declared
    if (there === undefined) return undefined
    const held = { uid: idThere(there) }
    const isSame = problem(wanted, there, stored) === undefined
    if (!isSame && find === undefined) return undefined
    if (!isSame) await update?.(parts, held, wanted, stored)
    if (held.uid !== uidOf(stored)) return { held, outcome: 'adopted' }
    return { held, outcome: isSame ? 'unchanged' : 'updated' }
  }

  /** Updates what has an id, without a look; undefined when the provider knows none of its ids. */
  async #updateUnseen(parts: Parts, stored: Of['stored'], wanted: Of['wanted']): Promise<string | undefined> {
    const { uidOf, olderUidOf, find, create, update } = this.#declared
    if (find !== undefined) return undefined
    for (const uid of [uidOf(stored), olderUidOf?.(stored)]) {
      if (!uid) continue
      const attempt = async () => update?.(parts, { uid }, wanted, stored)
      // What cannot be made instead says itself that it is missing.
      if (create === undefined) await attempt()
      else if (!(await unlessMissing(this.#provider, attempt))) continue
      return uid
    }
    return undefined
  }

  /** Creating is never repeated blindly: what an earlier attempt may have left is taken over. */
  async #make(
    parts: Parts,
    wanted: Of['wanted'],
    stored: Of['stored'],
  ): Promise<{ held: Held<Of['told']>; outcome: string }> {
    const { create, ask, findLeft, update } = this.#declared
    const left = await findLeft?.(parts, wanted, stored)
    if (left !== undefined) {
      await update?.(parts, left, wanted, stored)
      return { held: left, outcome: ask === undefined ? 'adopted' : 'created' }
    }
    const asked = (await ask?.(parts, wanted, stored)) ?? stored
    const held = await createOrFind<Held<Of['told']> | undefined>(
      this.#provider,
      async () => create?.(parts, wanted, stored),
      () => this.#findMade(parts, wanted, asked),
    )
    if (held === undefined) throw new Error('nothing was made')
    return { held, outcome: 'created' }
  }

  async #findMade(parts: Parts, wanted: Of['wanted'], stored: Of['stored']): Promise<Held<Of['told']> | undefined> {
    const { ask, findMade, update } = this.#declared
    const made = findMade === undefined ? await this.#matchAgain(parts, stored) : await findMade(parts, wanted, stored)
    // It may be an older one than the one just asked for, which was wanted otherwise.
    if (made !== undefined && ask !== undefined) await update?.(parts, made, wanted, stored)
    return made
  }

  async #matchAgain(parts: Parts, stored: Of['stored']): Promise<Held | undefined> {
    const { actual, match, idThere } = this.#declared
    const there = match(stored, await actual(parts))
    return there === undefined ? undefined : { uid: idThere(there) }
  }

  /** False when the record was removed here meanwhile; then it is removed there as well. */
  async #save(
    parts: Parts,
    {
      stored,
      held,
      ...by
    }: { stored: Of['stored']; held: Held<Of['told']>; wanted: Of['wanted']; options: Of['options'] | undefined },
  ): Promise<boolean> {
    const model = this.#model
    const { saved, removal } = this.#declared
    const { id } = stored
    if (saved === undefined) {
      await saveSyncError(parts, { model, id }, null)
      return true
    }
    const remove = removal === undefined ? {} : { remove: () => this.remove(parts, removal.of(stored, held)) }
    return savePushed(parts, { model, id, ...saved(stored, held, { parts, ...by }), ...remove })
  }

  async #takeAway(parts: Parts, stored: Of['stored'], removal: Removal<Parts, Of>): Promise<string> {
    const model = this.#model
    const { uidOf } = this.#declared
    const uid = uidOf(stored)
    if (uid === null) return 'unchanged'
    await this.remove(parts, removal.of(stored, { uid }))
    const cleared = removal.cleared?.(parts, stored)
    if (cleared === undefined) return 'removed'
    await inServiceEnv(parts, async (env) => {
      await env.db.query(
        sql`update ${sql.identifier(this.#declared.model.table)} set ${cleared}, sync_error = null where id = ${stored.id}::bigint`,
      )
      await notifyChanged(env, model, [stored.id])
    })
    return 'removed'
  }

  /** Takes over what only the provider has, pushes what differs, removes what is gone. */
  async sync(parts: Parts, step: StepContext, options?: Of['options'] | undefined): Promise<void> {
    const { actual, list, match, mirror, isUpdatedUnseen } = this.#declared
    const theirs = isUpdatedUnseen === true ? [] : await actual(parts)
    const before = await list(parts)
    await step.progress.count('total', mirror === undefined ? before.length : theirs.length)
    if (mirror === undefined) {
      await this.pushEach(parts, step, { targets: before, actual: theirs, optionsOf: () => options })
      return
    }
    if (mirror.takes === 'all') {
      await this.#takeAll(parts, step, { mirror, theirs, before })
      return this.#removeGone(parts, step, { mirror, theirs, stored: before })
    }
    await this.#takeNew(parts, step, { mirror, theirs, before })
    const stored = await list(parts)
    const listed = stored.filter((each) => match(each, theirs) !== undefined)
    await this.pushEach(parts, step, { targets: listed, actual: theirs })
    await this.#removeGone(parts, step, { mirror, theirs, stored })
  }

  /** Pushes each of these records; what fails is pushed once more after the run. The ids of those that failed. */
  async pushEach(
    parts: Parts,
    step: StepContext,
    {
      targets,
      actual,
      optionsOf,
      counted = (outcome) => outcome,
    }: {
      targets: readonly Of['stored'][]
      actual: readonly Of['there'][]
      optionsOf?(stored: Of['stored']): Of['options'] | undefined
      counted?(outcome: string): string
    },
  ): Promise<Set<number>> {
    const model = this.#model
    const { kind, nameOf, uidOf } = this.#declared
    const failed = await workOnEach(step, {
      model,
      targets: targets.map((stored) => ({
        id: stored.id,
        name: nameOf(stored),
        asked: { listed: { uid: uidOf(stored), actual }, options: optionsOf?.(stored) },
      })),
      work: async ({ id, asked }) => counted(await this.push(parts, id, asked)),
      retry: ({ id }) => ({ kind, id }),
    })
    return new Set([...failed].map(({ id }) => id))
  }

  async #takeNew(
    parts: Parts,
    step: StepContext,
    { mirror, theirs, before }: { mirror: Mirror<Parts, Of>; theirs: Of['there'][]; before: Of['stored'][] },
  ): Promise<void> {
    const model = this.#model
    const { match } = this.#declared
    const isHere = new Set(before.map((each) => match(each, theirs)))
    await workOnEach(step, {
      model,
      targets: theirs.filter((each) => !isHere.has(each)).map((there) => ({ there, name: mirror.nameThere(there) })),
      work: async ({ there }) => (await mirror.take(parts, there, before)).outcome,
      // What was taken over is pushed then.
      isCountedLater: true,
    })
  }

  async #takeAll(
    parts: Parts,
    step: StepContext,
    { mirror, theirs, before }: { mirror: Mirror<Parts, Of>; theirs: Of['there'][]; before: Of['stored'][] },
  ): Promise<void> {
    const model = this.#model
    const { blocked, idThere } = this.#declared
    await workOnEach(step, {
      model,
      targets: theirs.map((there) => {
        const same = mirror.same(there, before)
        return { there, same, id: same?.id, name: mirror.nameThere(there) }
      }),
      work: async ({ there, same }) => {
        const isLeft = same === undefined ? undefined : blocked?.(same)
        if (isLeft !== undefined) return isLeft
        const { id, outcome } = await mirror.take(parts, there, before)
        if (id === undefined) return outcome
        const pushed = await this.push(parts, id, { listed: { uid: idThere(there), actual: [there] } })
        return outcome === 'created' ? outcome : pushed
      },
    })
  }

  async #removeGone(
    parts: Parts,
    step: StepContext,
    { mirror, theirs, stored }: { mirror: Mirror<Parts, Of>; theirs: Of['there'][]; stored: Of['stored'][] },
  ): Promise<void> {
    const model = this.#model
    const { nameOf, uidOf } = this.#declared
    const { instead, ...sentences } = mirror.gone
    const known = stored.filter((each) => uidOf(each) !== null && mirror.isKnown?.(each) !== false)
    const gone = known.filter((each) => !theirs.some((there) => mirror.same(there, [each]) !== undefined))
    await removeGone(parts, step, {
      model,
      found: theirs.length,
      known: known.length,
      gone: gone.map((each) => ({ id: each.id, name: nameOf(each) })),
      ...sentences,
      ...(instead === undefined
        ? {}
        : { instead: { count: instead.count, work: (id: number) => instead.work(parts, id) } }),
    })
  }

  /** What the provider holds in another way than we do. Changes nothing there; what counted as in sync here and differs no longer does. */
  async compare(parts: Parts): Promise<Difference[]> {
    const model = this.#model
    const { skips, actual, list, match, nameOf, blocked, drift } = this.#declared
    const settings = await freshSettings(parts.platform)
    if (skips?.(settings) !== undefined) return []
    const stored = await list(parts)
    // There is nothing to ask the provider for.
    if (stored.length === 0 && drift.strangers === undefined) return []
    const theirs = await actual(parts)
    const found: Difference[] = []
    for (const each of stored) {
      if (blocked?.(each) !== undefined) continue
      const there = match(each, theirs)
      const problem = await this.#problem(parts, { stored: each, there, settings })
      await this.#noteProblem(parts, each, problem)
      found.push(...differing({ what: drift.what ?? model, id: each.id, name: nameOf(each) }, problem, drift.say))
      if (there !== undefined) found.push(...((await drift.within?.(parts, each, { there, problem })) ?? []))
    }
    return [...found, ...(drift.strangers?.(theirs, stored, settings) ?? [])]
  }

  /** Saves with a record that counts as in sync what was found, unless it was changed or pushed while the provider was asked. */
  async #noteProblem(parts: Parts, compared: Of['stored'], problem: string | undefined): Promise<void> {
    const { id, synced } = compared
    if (problem === undefined || synced !== true) return
    const [now] = await this.#declared.list(parts, id)
    if (isDeepStrictEqual(now, compared)) await saveSyncError(parts, { model: this.#model, id }, problem)
  }

  async #problem(
    parts: Parts,
    { stored, there, settings }: { stored: Of['stored']; there: Of['there'] | undefined; settings: SettingsSnapshot },
  ): Promise<string | undefined> {
    const { wanted, problem, drift } = this.#declared
    if (there === undefined) {
      const absent = drift.absent(stored)
      return absent instanceof Error ? absent.message : absent
    }
    if (stored.synced === false || stored.synced === null) return stored.sync_error ?? NOT_PUSHED
    const mended = problem(await wanted(parts, stored, { settings }), there, stored)
    return drift.also === undefined ? mended : drift.also(parts, stored, { there, problem: mended })
  }
}
