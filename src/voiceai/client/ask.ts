import type { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'

/** Options that each request to the SDK carries. */
export interface RequestOptions {
  abortSignal: AbortSignal
}

/**
 * Asks the platform something through the SDK. `repeatable` requests are asked again when it is unclear whether they were
 * done; creating is not one of them.
 */
export interface Ask {
  repeatable<Answer>(request: (sdk: ElevenLabsClient, options: RequestOptions) => Promise<Answer>): Promise<Answer>
  once<Answer>(request: (sdk: ElevenLabsClient, options: RequestOptions) => Promise<Answer>): Promise<Answer>
  /** Repeatable, and nothing of the answer is needed: it may lack what the SDK expects of it. */
  tell(request: (sdk: ElevenLabsClient, options: RequestOptions) => Promise<unknown>): Promise<void>
}
