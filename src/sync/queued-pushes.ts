import type { Env } from '../platform/access/env.ts'
import type { Extension } from '../platform/model/extend.ts'
import type { Change, Model } from '../platform/model/model.ts'
import type { AnyPush, ProviderRules } from './provider.ts'
import { requestPush, touches } from './requests.ts'

/** Which saves of which records have a push queued. */
export interface QueuedPushes {
  /** Fields that the provider has: a new record is pushed, and one of which any of them is saved. Or a rule of its own. */
  pushedOn: readonly string[] | ((change: Change) => boolean)
  /** Models of which the provider has something with ours. */
  pushedWith?: readonly PushedWith[]
  /** A new record is pushed also while the settings keep what is saved from the provider. */
  isNeededAtOnce?: boolean
  /** Queues the pushes of these records, where more is saved with them; else one push each. */
  queue?(env: Env, ids: readonly number[], change: Change | undefined): Promise<void>
}

/** Another model, and the records of ours that are pushed when some of its are saved, or about to be removed. */
interface PushedWith {
  model: Model
  saved?(env: Env, change: Change): Promise<number[]>
  removing?(env: Env, ids: readonly number[]): Promise<number[]>
}

/** What of a declaration says it. */
interface Queueing extends QueuedPushes {
  kind: string
  model: Model
  removal?: { read(env: Env, ids: readonly number[]): Promise<object[]> }
}

/** What saving and removing records of a model queues of a resource. */
export function queuedBy(model: string, provider: ProviderRules, declared: Queueing): Extension[] {
  const { kind, pushedOn, pushedWith = [], isNeededAtOnce, removal } = declared
  for (const field of typeof pushedOn === 'object' ? pushedOn : []) {
    if (!(field in declared.model.fields)) throw new Error(`${declared.model.name} has no field "${field}" to push`)
  }
  const own: Extension = {
    async onSave(env, change) {
      const isPushed =
        typeof pushedOn === 'function' ? pushedOn(change) : change.isNew || touches(change.values, pushedOn)
      const isNeeded = change.isNew && isNeededAtOnce === true
      if (isPushed) await queuePushes(env, [change.id], { change, isNeeded })
    },
    async onRemove(env, ids) {
      const gone = (await removal?.read(env, ids)) ?? []
      if (gone.length === 0 || !(await isQueued(env))) return
      for (const each of gone) await requestPush(env, provider, asPush(`remove-${kind}`, each))
    },
  }
  const others = pushedWith
    .filter((each) => each.model.name === model)
    .map(
      ({ saved, removing }): Extension => ({
        onSave: async (env, change) => queuePushes(env, (await saved?.(env, change)) ?? []),
        onRemove: async (env, ids) => queuePushes(env, (await removing?.(env, ids)) ?? []),
      }),
    )
  // Removing goes through them from the end: a record is removed before the others of its model are pushed.
  return declared.model.name === model ? [...others, own] : others

  async function queuePushes(
    env: Env,
    ids: readonly number[],
    { change, isNeeded = false }: { change?: Change; isNeeded?: boolean } = {},
  ): Promise<void> {
    if (ids.length === 0 || !(await isQueued(env, isNeeded))) return
    if (declared.queue !== undefined) return declared.queue(env, ids, change)
    for (const id of ids) await requestPush(env, provider, asPush(kind, { id }))
  }

  async function isQueued(env: Env, isNeeded = false): Promise<boolean> {
    return (await provider.queuesOnSave?.(env, isNeeded)) ?? true
  }
}

/** One push of what the resource says; its kinds are those of the provider (`pushes` of its table). */
function asPush(kind: string, told: object): AnyPush {
  return { kind, ...told }
}
