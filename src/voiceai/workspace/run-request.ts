import type { Env } from '../../platform/access/env.ts'
import { createRun, type SyncKind } from '../../sync/sync-run.ts'
import { requireOn, requireReady } from './readiness.ts'

export const SYNC_JOB = 'voiceai-sync'

export interface QueuedRun {
  run_id: number
  kind: SyncKind
}

/** Starts a run once the transaction has committed. Throws a refusal that says what is missing, or what is under way. */
export async function requestRun(env: Env, kind: SyncKind): Promise<{ run_id: number }> {
  // Generating speech is use, not setting up.
  if (kind === 'prompts') requireOn(env.settings)
  else requireReady(env.settings)
  const payload: QueuedRun = { run_id: await createRun(env, { area: 'voiceai', kind }), kind }
  await env.platform.enqueue(env.db, { name: SYNC_JOB, payload })
  return { run_id: payload.run_id }
}
