import { Refusal } from '../../errors.ts'
import type { ProviderErrors } from '../../sync/provider.ts'
import { serviceSentence } from '../../sync/push-failure.ts'
import { VoiceaiError } from '../client/provider-error.ts'

/** What a person reads of a failure: the platform's reason in a sentence, or that the log knows. */
export function sentenceOf(thrown: unknown): string {
  return thrown instanceof VoiceaiError ? thrown.message : serviceSentence(thrown)
}

/** Whether the platform does not know what it is asked about. */
export function isMissing(thrown: unknown): boolean {
  return thrown instanceof VoiceaiError && thrown.kind === 'missing'
}

/** For what may be gone at the platform already. */
export function ignoreMissing(thrown: unknown): undefined {
  if (!isMissing(thrown)) throw thrown
}

/** False when the platform does not know what is asked about. */
export async function unlessMissing(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** What failures of the voice-agent platform mean to the engine. */
export const VOICEAI_ERRORS: ProviderErrors = {
  sentenceOf,
  // With a key that is not accepted, every further request has the same answer.
  isHopeless: (failure) => failure instanceof VoiceaiError && failure.kind === 'credentials',
  isSilent: (failure) => failure instanceof VoiceaiError && failure.kind === 'unavailable',
  isWorthRepeating(failure) {
    if (failure instanceof VoiceaiError) return failure.kind === 'busy' || failure.kind === 'unavailable'
    return !(failure instanceof Refusal)
  },
  isRetriedAfterRun: () => true,
}
