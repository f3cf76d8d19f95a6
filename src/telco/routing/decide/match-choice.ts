import { plainWords } from '../../callflows/plain-words.ts'
import { spokenDigits } from './spoken-digits.ts'

/** One branch of a menu. */
export interface Choice {
  readonly digits: string
  readonly speech: string | null
  readonly exten: number
}

/** Speech results can be long; a menu is answered in a few words. */
const HEARD_CHARS_MAX = 1_000

/**
 * The branch that a caller asked for: by digits, else by words. Words count in any case and with any punctuation; a
 * whole word comes before a part of one, so that "sales" in "sales taxes" is not taken for "tax". Numerals of the flow's language
 * are digits where no choice has such words.
 */
export function matchChoice<Branch extends Choice>(
  choices: readonly Branch[],
  { digits, speech, language }: { digits: string; speech: string; language?: string | undefined },
): Branch | undefined {
  const dialled = choices.find((choice) => digits !== '' && choice.digits === digits)
  if (dialled !== undefined) return dialled
  const heard = plainWords(speech.slice(0, HEARD_CHARS_MAX))
  if (heard === '') return undefined
  const spoken = choices
    .map((choice) => ({ choice, words: plainWords(choice.speech ?? '') }))
    .filter(({ words }) => words)
  const whole = spoken.find(({ words }) => ` ${heard} `.includes(` ${words} `))
  const part = whole ?? spoken.find(({ words }) => heard.includes(words))
  if (part !== undefined || language === undefined) return part?.choice
  const said = spokenDigits(speech.slice(0, HEARD_CHARS_MAX), language)
  return said === undefined ? undefined : choices.find((choice) => choice.digits === said)
}
