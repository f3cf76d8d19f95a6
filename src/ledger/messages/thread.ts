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
  const target = env.platform.models.get(model)
  if (target.hasChatter !== true) {
    throw new Refusal('refused', `Messages cannot be kept with records of ${model}.`)
  }
  requireAccess(env.identity, target, 'write')
  if (!Number.isInteger(id) || id < 1 || id > ID_MAX) throw new Refusal('refused', 'A record has a positive number.')
  await records(env, model).requireVisible([id])
}

/** Whether this identity may post on the record; one that is gone, or hidden, is no place to go on. */
export async function mayPost(env: Env, thread: Thread): Promise<boolean> {
  try {
    await requirePostable(env, thread)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
