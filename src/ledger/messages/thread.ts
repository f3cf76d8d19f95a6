import { Refusal } from '../../errors.ts'
import { ID_MAX } from '../../lenient-values.ts'
import { requireAccess } from '../../platform/access/access.ts'
import type { Env } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'

/** The business record that a conversation belongs to. */
export interface Thread {
  model: string
  id: number
}

/** Refuses a record on which this identity may not post: it must be there, have chatter, and be theirs to see and to change. */
export async function requirePostable(env: Env, { model, id }: Thread): Promise<void> {
  requirePosts(env, model)
  if (!isId(id)) throw new Refusal('refused', 'api-record-has-positive-number')
  await records(env, model).requireVisible([id], 'write')
}

/** Whether this identity may post on the record; one that is gone, or hidden, is no place to go on. */
export async function mayPost(env: Env, thread: Thread): Promise<boolean> {
  return (await findPostable(env, [thread])).has(keyOf(thread))
}

/** Of some records those on which this identity may post, each by `keyOf`. */
export async function findPostable(env: Env, threads: readonly Thread[]): Promise<ReadonlySet<string>> {
  const postable = new Set<string>()
  for (const [model, ofModel] of Map.groupBy(threads, (thread) => thread.model)) {
    if (!hasPosts(env, model)) continue
    const ids = new Set(ofModel.map(({ id }) => id).filter(isId))
    for (const id of await records(env, model).listVisible([...ids], 'write')) postable.add(keyOf({ model, id }))
  }
  return postable
}

/** One text for each record. */
export function keyOf({ model, id }: Thread): string {
  return `${model},${id}`
}

function hasPosts(env: Env, model: string): boolean {
  try {
    requirePosts(env, model)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function requirePosts(env: Env, model: string): void {
  const target = env.platform.models.get(model)
  if (target.hasChatter !== true) {
    throw new Refusal('refused', 'messages-cannot-kept-with-records', { model })
  }
  requireAccess(env.identity, target, 'write')
}

function isId(id: number): boolean {
  return Number.isInteger(id) && id >= 1 && id <= ID_MAX
}
