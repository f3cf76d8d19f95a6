import type { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import type { Settings } from '../../platform/settings/settings.ts'
import { NO_API_KEY, NOT_UNDERSTOOD, VoiceaiError } from './provider-error.ts'
import { withRetries } from './retry.ts'

const TIMEOUT_SECONDS = 20
const MS_PER_SECOND = 1_000

export interface ClientParts {
  /** The key is read for each request, so that a new one is used at once. */
  settings: Settings
  baseUrl: string
  pause?: (ms: number) => Promise<unknown>
}

/** A request to the SDK, with the options that each carries. */
type Request<Answer> = (sdk: ElevenLabsClient, options: { abortSignal: AbortSignal }) => Promise<Answer>

export type Ask = ReturnType<typeof askOf>

/**
 * Asks the platform something through the SDK, which is loaded with the first request. `repeatable` requests are asked
 * again when it is unclear whether they were done; creating is not one of them.
 */
export function askOf(parts: ClientParts) {
  return {
    repeatable: <Answer>(request: Request<Answer>) => askPlatform(parts, true, request),
    once: <Answer>(request: Request<Answer>) => askPlatform(parts, false, request),
    /** Repeatable, and nothing of the answer is needed: it may lack what the SDK expects of it. */
    change: (request: Request<unknown>) =>
      askPlatform(parts, true, (sdk, options) => withoutAnswer(request(sdk, options))),
  }
}

async function askPlatform<Answer>(
  { settings, baseUrl, pause }: ClientParts,
  isRepeatable: boolean,
  request: Request<Answer>,
): Promise<Answer> {
  const { voiceaiApiKey: apiKey, voiceaiAgentToken, postCallSecrets } = await settings.get()
  if (apiKey === undefined) throw new VoiceaiError('credentials', NO_API_KEY)
  // 0.6 s and 100 MB: only processes that really talk to the platform pay for it.
  const { ElevenLabsClient: Sdk } = await import('@elevenlabs/elevenlabs-js')
  const sdk = new Sdk({ apiKey, baseUrl, maxRetries: 0, timeoutInSeconds: TIMEOUT_SECONDS, fetch: ownFetch })
  const secrets = [apiKey, voiceaiAgentToken ?? '', ...postCallSecrets]
  // The SDK's own time-out ends with the headers; this one covers the body as well.
  return withRetries(() => request(sdk, { abortSignal: AbortSignal.timeout(TIMEOUT_SECONDS * MS_PER_SECOND) }), {
    isRepeatable,
    secrets,
    ...(pause === undefined ? {} : { pause }),
  })
}

/** The SDK misses something in the answer to what the platform has done all the same. */
async function withoutAnswer(request: Promise<unknown>): Promise<void> {
  await request.catch((thrown: unknown) => {
    if (!(thrown instanceof Error && thrown.name === 'ParseError')) throw thrown
  })
}

const ownFetch: typeof fetch = async (input, init) => {
  // A redirect would take the key to another host.
  const reply = await fetch(input, { ...init, redirect: 'error' })
  // The page of a proxy in between: the SDK would take it for an answer that says nothing.
  if (!reply.ok || !/^text\/html/i.test(reply.headers.get('content-type') ?? '')) return reply
  await reply.body?.cancel()
  throw new Error(NOT_UNDERSTOOD)
}
