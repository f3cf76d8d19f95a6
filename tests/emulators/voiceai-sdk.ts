import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import type { VoiceaiEmulator } from '../../emulators/voiceai/start.ts'

/** The platform's own SDK, pointed at the emulator. */
export function voiceaiSdkFor(voiceai: VoiceaiEmulator, apiKey = voiceai.workspace.apiKey): ElevenLabsClient {
  return new ElevenLabsClient({ apiKey, baseUrl: voiceai.url, maxRetries: 0 })
}

/** What the SDK throws when the API refuses. */
export async function voiceaiRefusalOf(
  asking: Promise<unknown>,
): Promise<{ name: string; statusCode: number; body: unknown }> {
  try {
    await asking
  } catch (error) {
    const { statusCode, body } = error as { statusCode: number; body: unknown }
    return { name: (error as object).constructor.name, statusCode, body }
  }
  throw new Error('it was not refused')
}
