import { Refusal } from '../../errors.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import type { SpokenPrompts } from '../../ports/spoken-prompts.ts'
import type { ProviderRules, SyncParts } from '../../sync/provider.ts'
import { serviceSentence } from '../../sync/push.ts'
import type { SyncKind } from '../../sync/sync-run.ts'
import { type FailureKind, VoiceaiError } from '../client/provider-error.ts'
import type { VoiceaiClient } from '../client/sdk-client.ts'
import { findObstacle, requireOn, requireReady } from './readiness.ts'

/** What synchronising with the voice-agent platform works with. */
export interface VoiceaiParts extends SyncParts {
  client: VoiceaiClient
  prompts: SpokenPrompts
  /** Where the files of knowledge are. */
  media: Pick<MediaStore, 'open'>
}

/** What is pushed to the voice-agent platform, by the ids of our records or of what it holds. */
export type Push =
  | { kind: 'tool'; id: number }
  | { kind: 'agent'; id: number; endsTokenLimit?: boolean }
  | { kind: 'number'; id: number }
  | { kind: 'initiation' }
  | { kind: 'post-call' }
  | { kind: 'speech'; fileId: number }
  | { kind: 'knowledge'; id: number }
  | { kind: 'crawl'; id: number; looks?: number }
  | { kind: 'remove-knowledge'; documentUid: string }
  | { kind: 'remove-tool'; toolId: string }
  | { kind: 'remove-trial'; id: number }
  | { kind: 'remove-agent'; agentUid: string | null; numberUid: string | null }

/** The voice-agent platform, as far as requests and failures of pushes go. */
export const VOICEAI: ProviderRules<Push, SyncKind> = {
  area: 'voiceai',
  title: 'voice-agent platform',
  findObstacle,
  // Generating speech is use, not setting up.
  requireReady: (settings, kind) => (kind === 'prompts' ? requireOn(settings) : requireReady(settings)),
  errors: {
    sentenceOf: (thrown) => (thrown instanceof VoiceaiError ? thrown.message : serviceSentence(thrown)),
    // With a key that is not accepted, every further request has the same answer.
    isHopeless: (failure) => isFailure(failure, 'credentials'),
    isSilent: (failure) => isFailure(failure, 'unavailable'),
    isMissing: (thrown) => isFailure(thrown, 'missing'),
    mayExist: (thrown) => isFailure(thrown, 'unavailable', 'conflict'),
    isWorthRepeating: (failure) =>
      failure instanceof VoiceaiError ? isFailure(failure, 'busy', 'unavailable') : !(failure instanceof Refusal),
    isRetriedAfterRun: () => true,
  },
}

function isFailure(thrown: unknown, ...kinds: FailureKind[]): boolean {
  return thrown instanceof VoiceaiError && kinds.includes(thrown.kind)
}
