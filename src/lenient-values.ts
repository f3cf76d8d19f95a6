import { isUnseen } from './unseen.ts'

/** One value as a provider sent it: left out, unusable, or read. */
type Reading<T> = { kind: 'absent' } | { kind: 'invalid' } | { kind: 'present'; value: T }

/** PostgreSQL `integer` ends here. */
export const INT_MAX = 2_147_483_647
/** Ids have 64 bits in the database; this is the last number that JavaScript and JSON carry exactly. */
export const ID_MAX = Number.MAX_SAFE_INTEGER

/** An id as an address of ours carries it. */
export const ID_IN_ADDRESS = /^[1-9]\d{0,14}$/

const ABSENT: Reading<never> = { kind: 'absent' }
const INVALID: Reading<never> = { kind: 'invalid' }

// Dynamic variables are texts: a template language without a value writes one of these in its place.
const ABSENT_WORDS = new Set(['none', 'null', 'undefined', 'false'])
const TRUE_WORDS = new Set(['1', '1.0', 'true', 'yes'])

// "7.0" is what a sender that keeps every number as a float makes of 7.
const ID_TEXT = /^\d{1,16}(?:\.0{1,9})?$/
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n\r]/gu

/** Whether a value stands for "nothing was sent". `false` does: older payloads write an empty field that way. */
export function isAbsent(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true
  return typeof value === 'string' && (isUnseen(value) || ABSENT_WORDS.has(value.trim().toLowerCase()))
}

/** Reads a record id. */
export function readId(value: unknown): Reading<number> {
  if (isAbsent(value)) return ABSENT
  const id = toNumber(value)
  const isId = id !== undefined && Number.isInteger(id) && id >= 1 && id <= ID_MAX
  return isId ? { kind: 'present', value: id } : INVALID
}

/** Reads text, cleaned and trimmed; a number counts as its digits. Longer than `maxChars` is invalid, never cut. */
export function readText(value: unknown, maxChars: number): Reading<string> {
  if (isAbsent(value)) return ABSENT
  if (typeof value !== 'string' && typeof value !== 'number') return INVALID
  const text = cleanText(String(value)).trim()
  if (isAbsent(text)) return ABSENT
  return text.length > maxChars ? INVALID : { kind: 'present', value: text }
}

/** Reads a yes or no; whatever is not plainly a yes is a no. */
export function readFlag(value: unknown): boolean {
  if (typeof value === 'string') return TRUE_WORDS.has(value.trim().toLowerCase())
  return value === true || value === 1
}

/** Makes text storable: PostgreSQL refuses NUL and lone surrogates, markup refuses the other control characters. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(CONTROL_CHARACTERS, '')
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return ID_TEXT.test(text) ? Number(text) : undefined
}
