import type { StepContext } from '../../sync/provider.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import type { ProviderLanguageModel } from '../client/voiceai-client.ts'
import type { VoiceaiParts } from './voiceai-parts.ts'
import { saveSettings } from './workspace.ts'

/** Learns which language models agents can have. An account without such a list has the models that we know. */
export async function syncLanguageModels(parts: VoiceaiParts, { progress }: StepContext): Promise<void> {
  const models = await listModels(parts)
  if (models.length === 0) return
  const llms = models.map(({ name, isDeprecated, replacement }) => ({
    name,
    is_deprecated: isDeprecated,
    ...(replacement === undefined ? {} : { replacement }),
  }))
  await saveSettings(parts, { voiceai_llms: llms })
  await progress.count('found', models.length)
}

async function listModels({ client }: VoiceaiParts): Promise<ProviderLanguageModel[]> {
  try {
    return await client.listLanguageModels()
  } catch (error) {
    if (error instanceof VoiceaiError && error.kind === 'missing') return []
    throw error
  }
}
