import { SPEECH_LANGUAGE_DEFAULT } from '../callflows/speech-languages.ts'
import type { Verb } from '../markup/verb.ts'
import { type SpeechOptions, say } from '../markup/voice.ts'
import sentences from './sentences.json' with { type: 'json' }

/** A sentence that callers hear from the service itself, by its name in `sentences.json`. */
export type SentenceName = keyof typeof sentences

/** The sentence in a language that we offer (`de-DE`), in English without one. */
export function sentence(name: SentenceName, language: string = SPEECH_LANGUAGE_DEFAULT): string {
  const words: Readonly<Record<string, string>> = sentences[name]
  return words[language] ?? words[baseOf(language)] ?? sentences[name].en
}

/**
 * The sentence as it is spoken. English ones carry neither language nor voice: other parties match on them as they
 * stand (docs/reference/domain.md#spoken-sentences).
 */
export function sentenceVerb(name: SentenceName, speech: SpeechOptions = {}): Verb {
  const text = sentence(name, speech.language)
  return isEnglish(speech.language) ? say(text) : say(text, speech)
}

function isEnglish(language: string | undefined): boolean {
  return !language || baseOf(language) === 'en'
}

function baseOf(language: string): string {
  return language.split('-', 1)[0] ?? ''
}
