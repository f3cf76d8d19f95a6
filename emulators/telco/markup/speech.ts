import type { MarkupElement } from './element.ts'
import { wordsOf } from './language.ts'

/** What `man` and `woman` speak, by the page of the verb (https://www.twilio.com/docs/voice/twiml/say). */
const BASIC_LANGUAGES = ['en', 'es', 'fr', 'de', 'it']
const LANGUAGE_DEFAULT = 'en-US'
/** The name of a voice of Google's begins with the language it speaks, as `Google.pl-PL-Standard-A`. */
const GOOGLE_VOICE = /^Google\.([A-Za-z]+-[A-Za-z]+)-/

/**
 * Why a `Say` is not spoken: "Using an invalid combination of voice and language may result in error and <Say>
 * instruction failure" (the same page). Undefined when it is. What Amazon's voices speak, their names do not tell.
 */
export function unspeakable({ attributes }: MarkupElement): string | undefined {
  const { voice = 'man', language = LANGUAGE_DEFAULT } = attributes
  const spoken = GOOGLE_VOICE.exec(voice)?.[1]
  if (spoken !== undefined && spoken.toLowerCase() !== language.toLowerCase()) {
    return `the voice ${voice} does not speak ${language}`
  }
  const isBasic = attributes.voice !== undefined && ['man', 'woman'].includes(voice)
  const base = language.split('-', 1)[0] ?? ''
  return isBasic && !BASIC_LANGUAGES.includes(base) ? `the voice ${voice} does not speak ${language}` : undefined
}

/**
 * Why a `Gather` fails at once: it is to understand speech in a language that it does not have (13331, "the gather
 * fails": https://www.twilio.com/docs/api/errors/13331). Undefined when it works.
 */
export function deafness({ attributes: { input = 'dtmf', language } }: MarkupElement): string | undefined {
  if (language === undefined || !input.split(' ').includes('speech')) return undefined
  return wordsOf('GatherLanguage').includes(language) ? undefined : `speech in ${language} is not understood`
}
