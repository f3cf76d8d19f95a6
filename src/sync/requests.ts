import type { Env } from '../platform/access/env.ts'
import type { Values } from '../platform/model/model.ts'
import type { AnyPush, ProviderRules } from './provider.ts'
import { createRun, type RunKind, type SyncArea } from './sync-run.ts'

/** Payload of the job that works on a run. */
export interface QueuedRun {
  run_id: number
  kind: RunKind
}

export function syncJobName(area: SyncArea): string {
  return `${area}-sync`
}

export function pushJobName(area: SyncArea): string {
  return `${area}-push`
}

/** Starts a run once the transaction has committed. Throws a refusal that says what is under way. */
export async function enqueueRun(env: Env, area: SyncArea, kind: RunKind): Promise<{ run_id: number }> {
  const payload: QueuedRun = { run_id: await createRun(env, { area, kind }), kind }
  await env.platform.enqueue(env.db, { name: syncJobName(area), payload })
  return { run_id: payload.run_id }
}

/** Has something pushed once the transaction has committed; nothing while there is an obstacle. */
export async function enqueuePush(
  env: Env,
  { area, findObstacle }: Pick<ProviderRules, 'area' | 'findObstacle'>,
  push: AnyPush,
  { delaySeconds }: { delaySeconds?: number } = {},
): Promise<void> {
  if (findObstacle(env.settings) !== undefined) return
  await env.platform.enqueue(env.db, {
    name: pushJobName(area),
    payload: push,
    ...(delaySeconds === undefined ? {} : { delaySeconds }),
  })
}

/** Whether a change is one of these fields. */
export function touches(values: Values, fields: readonly string[]): boolean {
  return fields.some((field) => field in values)
}
