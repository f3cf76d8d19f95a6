import type { Env } from '../../platform/access/env.ts'
import type { ProviderRules } from '../../sync/provider.ts'
import { enqueuePush } from '../../sync/requests.ts'
import { VOICEAI_ERRORS } from './errors.ts'
import { findObstacle } from './readiness.ts'

/** The voice-agent platform, as far as requests and failures of pushes go. */
export const VOICEAI: ProviderRules = {
  area: 'voiceai',
  title: 'voice-agent platform',
  errors: VOICEAI_ERRORS,
  findObstacle,
}

/** One thing that the platform is to hold as we do. Ids, not records: what is pushed is what is stored by then. */
export type Push =
  | { kind: 'tool'; id: number }
  | { kind: 'agent'; id: number; endsTokenLimit?: boolean }
  | { kind: 'number'; id: number }
  | { kind: 'initiation' }
  | { kind: 'post-call' }
  | { kind: 'speech'; fileId: number }
  | { kind: 'remove-tool'; toolId: string }
  | { kind: 'remove-agent'; agentUid: string | null; numberUid: string | null }

/** Has something pushed once the transaction has committed; nothing while voice agents are off or not set up. */
export function requestPush(env: Env, push: Push): Promise<void> {
  return enqueuePush(env, VOICEAI, push)
}
