import type { SpokenPrompts } from '../../ports/spoken-prompts.ts'
import type { SyncParts } from '../../sync/provider.ts'
import type { VoiceaiClient } from '../client/voiceai-client.ts'

/** What synchronising with the voice-agent platform works with. */
export interface VoiceaiParts extends SyncParts {
  client: VoiceaiClient
  prompts: SpokenPrompts
}
