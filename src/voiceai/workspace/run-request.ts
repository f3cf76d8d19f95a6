import type { Env } from '../../platform/access/env.ts'
import { enqueueRun } from '../../sync/requests.ts'
import type { SyncKind } from '../../sync/sync-run.ts'
import { requireOn, requireReady } from './readiness.ts'

/** Starts a run once the transaction has committed. Throws a refusal that says what is missing, or what is under way. */
export async function requestRun(env: Env, kind: SyncKind): Promise<{ run_id: number }> {
  // Generating speech is use, not setting up.
  if (kind === 'prompts') requireOn(env.settings)
  else requireReady(env.settings)
  return enqueueRun(env, 'voiceai', kind)
}
