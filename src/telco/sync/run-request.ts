import type { Env } from '../../platform/access/env.ts'
import type { Method } from '../../platform/model/model.ts'
import { enqueueRun } from '../../sync/requests.ts'
import { syncButton } from '../../sync/sync-button.ts'
import type { ListKind, SyncKind } from '../../sync/sync-run.ts'
import { requireReady } from './readiness.ts'

/** Everything in its order, one list, or a look that changes nothing. */
export type TelcoRunKind = Extract<SyncKind, 'sync' | 'check'> | ListKind

/** Starts a run once the transaction has committed. Throws a refusal that says what is missing, or what is under way. */
export async function requestRun(env: Env, kind: TelcoRunKind): Promise<{ run_id: number }> {
  requireReady(env.settings)
  return enqueueRun(env, 'telco', kind)
}

/** The button that starts a run, for administrators; answers `{run_id}`. */
export function runButton(kind: TelcoRunKind, label: string): Method {
  return syncButton(label, (env) => requestRun(env, kind))
}
