import type { Env } from '../../platform/access/env.ts'
import { createRun, type ListKind, type SyncKind } from '../../sync/sync-run.ts'
import { requireReady } from './readiness.ts'

export const SYNC_JOB = 'telco-sync'

/** Everything in its order, one list, or a look that changes nothing. */
export type TelcoRunKind = Extract<SyncKind, 'sync' | 'check'> | ListKind

export interface QueuedRun {
  run_id: number
  kind: TelcoRunKind
}

/** Starts a run once the transaction has committed. Throws a refusal that says what is missing, or what is under way. */
export async function requestRun(env: Env, kind: TelcoRunKind): Promise<{ run_id: number }> {
  requireReady(env.settings)
  const payload: QueuedRun = { run_id: await createRun(env, { area: 'telco', kind }), kind }
  await env.platform.enqueue(env.db, { name: SYNC_JOB, payload })
  return { run_id: payload.run_id }
}
