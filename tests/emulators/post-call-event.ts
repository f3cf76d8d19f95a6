import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import type { Asked } from './fake-service.ts'

/** A post-call delivery, verified and read by the platform's own SDK. */
export async function constructEvent(
  { body, headers }: Asked,
  secret: string,
): Promise<{ type: string; data: Record<string, unknown> }> {
  const { webhooks } = new ElevenLabsClient({ apiKey: 'none' })
  return webhooks.constructEvent(body, String(headers['elevenlabs-signature']), secret)
}
