import { type Static, type TSchema, Type } from 'typebox'
import type { Env, OpenEnv } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import { type Method, method, type OutsideMethod, outsideMethod, type Values } from '../platform/model/model.ts'
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

const RUN_STARTED = Type.Object({ run_id: Type.Integer() })

/** The button that starts a run, for administrators; answers `{run_id}`. */
export function runButton<Kind extends RunKind>(
  provider: ProviderRules<AnyPush, Kind>,
  kind: NoInfer<Kind>,
  label: string,
): Method {
  return syncButton(label, RUN_STARTED, (env) => requestRun(env, provider, kind))
}

/** A button of the synchronisation, for administrators. */
export function syncButton<Reply extends TSchema>(
  label: string,
  reply: Reply,
  run: (env: Env) => Promise<Static<Reply>>,
): Method {
  return method({ label, operation: 'write', groups: [GROUP.connectAdmin], reply, run })
}

/** A button for administrators, who wait for what the provider does. */
export function outsideButton<Reply extends TSchema>(
  label: string,
  reply: Reply,
  runOutside: (open: OpenEnv, ids: number[]) => Promise<Static<Reply>>,
): OutsideMethod {
  return outsideMethod({ label, operation: 'write', groups: [GROUP.connectAdmin], reply, runOutside })
}

/** Starts a run once the transaction has committed. Throws a refusal that says what is missing, or what is under way. */
export async function requestRun<Kind extends RunKind>(
  env: Env,
  { area, requireReady }: ProviderRules<AnyPush, Kind>,
  kind: NoInfer<Kind>,
): Promise<{ run_id: number }> {
  requireReady(env.settings, kind)
  const payload: QueuedRun = { run_id: await createRun(env, { area, kind }), kind }
  await env.platform.enqueue(env.db, { name: syncJobName(area), payload })
  return { run_id: payload.run_id }
}

/** Has something pushed once the transaction has committed; nothing while there is an obstacle. */
export async function requestPush<Push extends AnyPush>(
  env: Env,
  { area, findObstacle }: ProviderRules<Push>,
  push: NoInfer<Push>,
  delay: { delaySeconds?: number } = {},
): Promise<void> {
  if (findObstacle(env.settings, push) !== undefined) return
  await env.platform.enqueue(env.db, { name: pushJobName(area), payload: push, ...delay })
}

/** Whether a change is one of these fields. */
export function touches(values: Values, fields: readonly string[]): boolean {
  return fields.some((field) => field in values)
}
