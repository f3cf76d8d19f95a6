import { Refusal } from '../../../errors.ts'
import { COMMON_PASSWORDS, COMMON_WORDS } from './common-passwords.ts'

const CHARS_MIN = 12
const CHARS_MAX = 200
/** Characters that must differ from one another: fewer are a pattern. */
const DIFFERENT_MIN = 5

/** Throws a refusal that says what is wrong with a password. Blanks may be in it, but do not make it longer. */
export function requireGoodPassword(password: unknown): asserts password is string {
  const isLong = typeof password === 'string' && password.replaceAll(/\s/g, '').length >= CHARS_MIN
  if (!isLong || password.length > CHARS_MAX) {
    throw new Refusal('refused', 'password-has-from-characters-blanks-not', { chars: CHARS_MIN, chars2: CHARS_MAX })
  }
  if (new Set(password.replaceAll(/\s/g, '').toLowerCase()).size < DIFFERENT_MIN) {
    throw new Refusal('refused', 'password-has-at-least-different-characters', { different: DIFFERENT_MIN })
  }
  if (isCommon(password)) {
    throw new Refusal('refused', 'this-password-one-commonest-made-them')
  }
}

/** Also with other letters for some of it, or said several times: anyone who guesses tries these first. */
function isCommon(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')
  const once = saidOnce(text)
  if (COMMON_PASSWORDS.has(text) || COMMON_PASSWORDS.has(once) || isSequence(once)) return true
  return [text, once].map(wordOf).some((word) => COMMON_WORDS.has(word) || COMMON_WORDS.has(saidOnce(word)))
}

/** What a text repeats; the text itself when it repeats nothing. */
function saidOnce(text: string): string {
  return /^(.+?)\1+$/s.exec(text)?.[1] ?? text
}

/** The word in the middle: what stands around it, such as a year and an exclamation mark, is guessed along with it. */
function wordOf(text: string): string {
  return plain(text.replace(/^[\d\W_]+|[\d\W_]+$/gu, ''))
}

const LETTER_OF: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

function plain(text: string): string {
  return text.replaceAll(/[013457@$!]/g, (sign) => LETTER_OF[sign] ?? sign).replaceAll(/[^\p{L}]/gu, '')
}

/** Rows of a keyboard, the alphabet and the digits, there and back. */
const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
]

function isSequence(text: string): boolean {
  return ROWS.some((row) => row.includes(text) || [...row].reverse().join('').includes(text))
}
