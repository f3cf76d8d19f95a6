import { usableHints } from './hints.ts'
import { heardName, spokenName, voiceFor } from './spoken-language.ts'
import { type Verb, verb } from './verb.ts'

/**
 * What the contract answers to a request with a wrong signature, byte for byte
 * (docs/reference/contract.md#telephony-signature).
 */
export const INVALID_REQUEST_MARKUP = '<Response><Say>Invalid Telco request!</Say></Response>'

export interface SpeechOptions {
  /** One of our languages, `en-US`; without one the provider's own is spoken. */
  readonly language?: string | undefined
  /** As it was chosen; empty for any that speaks the language. */
  readonly voice?: string | undefined
}

/** Speaks a text in a voice that speaks the language. */
export function say(text: string, { language, voice }: SpeechOptions = {}): Verb {
  return verb('Say', { language: language ? spokenName(language) : undefined, voice: voiceFor(language, voice) }, [
    text,
  ])
}

export function play(url: string): Verb {
  return verb('Play', {}, [url])
}

export function pause(seconds = 1): Verb {
  return verb('Pause', { length: seconds })
}

export function hangup(): Verb {
  return verb('Hangup')
}

/** Goes on with the document at another address; nothing after it runs. */
export function redirect(url: string): Verb {
  return verb('Redirect', { method: 'POST' }, [url])
}

interface GatherOptions {
  readonly action: string
  readonly timeoutSeconds: number
  readonly digits: number
  /** The key that ends the input; empty for none. Left out, it is the provider's: `#`, which is then no input itself. */
  readonly finishOnKey?: string | undefined
  readonly input: 'dtmf' | 'speech' | 'dtmf speech'
  readonly language?: string | undefined
  readonly hints?: string | undefined
}

/** Asks for digits or speech while the prompts are spoken; without input the verbs after it run. */
export function gather(options: GatherOptions, prompts: readonly Verb[]): Verb {
  const { action, timeoutSeconds, digits, finishOnKey, input, language, hints } = options
  return verb(
    'Gather',
    {
      action,
      method: 'POST',
      timeout: timeoutSeconds,
      numDigits: digits,
      finishOnKey,
      input,
      language: language ? heardName(language) : undefined,
      hints: input.includes('speech') && hints !== undefined ? usableHints(hints) : undefined,
    },
    prompts,
  )
}

const VOICEMAIL_LENGTH_MAX_SECONDS = 120

/**
 * Records a message after the beep. Its action only hangs up: without one the provider asks for the current document
 * again after the recording, and the prompt loops.
 */
export function recordVoicemail(options: { readonly action: string; readonly statusCallback: string }): Verb {
  return verb('Record', {
    maxLength: VOICEMAIL_LENGTH_MAX_SECONDS,
    finishOnKey: '#',
    playBeep: true,
    recordingStatusCallback: options.statusCallback,
    action: options.action,
  })
}
