import { setTimeout as delay } from 'node:timers/promises'
import { toVoiceaiError, type VoiceaiError } from './provider-error.ts'

const ATTEMPTS_MAX = 3
const FIRST_PAUSE_MS = 1_000
/** A platform that asks for a longer pause is left alone: the queue tries again much later. */
const PAUSE_MS_MAX = 30_000
const JITTER = 0.2

interface Asking {
  /** Doing it twice is the same as doing it once: also tried again when it may have been done. */
  isRepeatable: boolean
  /** What must not appear in an error's sentence. */
  secrets: readonly string[]
  pause?: (ms: number) => Promise<unknown>
}

/** Asks the platform, and asks again after a pause where that is safe and helps. Throws a VoiceaiError. */
export async function withRetries<Answer>(
  ask: () => Promise<Answer>,
  { isRepeatable, secrets, pause = delay }: Asking,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (thrown) {
      const error = toVoiceaiError(thrown, secrets)
      const pauseMs = error.retryAfterMs ?? backoffMs(attempt)
      if (attempt === ATTEMPTS_MAX || !isWorthRepeating(error, isRepeatable) || pauseMs > PAUSE_MS_MAX) throw error
      await pause(pauseMs)
    }
  }
}

function isWorthRepeating({ kind }: VoiceaiError, isRepeatable: boolean): boolean {
  // A refused surplus request was not worked on, so even a record that is being created can be asked for again.
  return kind === 'busy' || (kind === 'unavailable' && isRepeatable)
}

function backoffMs(attempt: number): number {
  return FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 + JITTER * (Math.random() - 1 / 2))
}
