import { isKeptForEmergencies } from '../../emergency-numbers.ts'
import { LACKING_PLUS_DIGITS_MIN, withoutTrunkZero } from '../../phone.ts'
import { plainText, readWritten } from '../../written-number.ts'

/** Characters a number or pattern of an extension may have. */
export const EXTEN_NUMBER_CHARS_MAX = 64
/** Quantifiers without an upper end in one pattern; each one multiplies the work of a match. */
const OPEN_QUANTIFIERS_MAX = 3

const PLAIN = /^\+?[\d*#]+$/
/** The same as a condition of SQL, for the index that finds the patterns among many numbers. */
export const IS_PATTERN = "number !~ '^[+]?[0-9*#]+$'"
const PATTERN_CHARACTERS = /^[\d+*#.?:|()[\]{},^$-]+$/
const ESCAPES = /\\[d+*.]/g
// A group that repeats something that repeats takes exponential time on a number that almost fits.
const REPEATED_GROUP = /\)[*+{]/

/** A number as people write it; a dot stands for any digit of a pattern. */
const WRITTEN = /^\(?\+?[\d\s()\-/]+$/
/** Groups of digits with a dot between them, and a number that a spreadsheet took for an amount: nobody means such a pattern. */
const DOTTED = /^\+?\d{1,5}(?:\.\d{2,}){2,}$|^[1-9]\d{5,14}\.0{1,3}$/
const NUMBER = /^\+?[\d\s().\-/]+$/
const BETWEEN_DIGITS = /[\s().\-/]/g
/** Extensions with a slash, comma or semicolon between them, perhaps after a label; area codes and numbers have more digits. */
const SEVERAL = /^[^\d+()]*\d{1,4}(?:\s*[/,;]\s*\d{1,4})+\s*$/

/**
 * The number of an extension as it is dialled: without what nobody sees, and without what is written around it and between digits.
 * A pattern stays as it is, and so does what is no number, for the check to refuse.
 */
export function asDialled(written: string): string {
  const text = plainText(written)
  if (PLAIN.test(text) || SEVERAL.test(text) || isMeantAsPattern(text)) return text
  const { text: number, lacksPlus } = readWritten(text)
  if (!NUMBER.test(number)) return text
  const dialled = withoutTrunkZero(number).replaceAll(BETWEEN_DIGITS, '')
  return lacksPlus && dialled.length >= LACKING_PLUS_DIGITS_MIN ? `+${dialled}` : dialled
}

function isMeantAsPattern(text: string): boolean {
  return PATTERN_CHARACTERS.test(text.replaceAll(ESCAPES, '0')) && !WRITTEN.test(text) && !DOTTED.test(text)
}

/** A number that is dialled as it stands. */
export function isPlainNumber(number: string): boolean {
  return number.length <= EXTEN_NUMBER_CHARS_MAX && PLAIN.test(number)
}

/**
 * The pattern that the number of an extension stands for, matching whole numbers only (a leading `+` means itself), or
 * undefined when it is none or could take long to match.
 */
export function extenPattern(number: string): RegExp | undefined {
  if (number.length > EXTEN_NUMBER_CHARS_MAX || SEVERAL.test(number)) return undefined
  const bare = number.replaceAll(ESCAPES, '0')
  if (!PATTERN_CHARACTERS.test(bare) || !/[\d.]/.test(bare) || REPEATED_GROUP.test(bare)) return undefined
  const open = bare.replace(/^\+/, '').match(/[*+]|,\}/g)?.length ?? 0
  if (open > OPEN_QUANTIFIERS_MAX) return undefined
  try {
    return new RegExp(`^(?:${number.replace(/^\+/, '\\+')})$`, 'u')
  } catch {
    return undefined
  }
}

/** The number after the highest of the plain short ones that is nobody's call for help; undefined when there is none left of that length. */
export function nextNumber(
  numbers: readonly string[],
  { digitsMax, country }: { digitsMax: number; country: string | undefined },
): string | undefined {
  const taken = numbers.filter((number) => /^\d+$/.test(number) && number.length <= digitsMax).map(Number)
  let next = Math.max(FIRST_NUMBER - 1, ...taken) + 1
  while (isKeptForEmergencies(String(next), country)) next += 1
  return String(next).length <= digitsMax ? String(next) : undefined
}

const FIRST_NUMBER = 100
