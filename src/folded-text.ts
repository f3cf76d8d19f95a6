/** Letters that no accent is taken off of. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  // Small letters of capitals that stand within a word and at its end alike.
  ς: 'σ',
}
const OTHERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
/**
 * What people write for an apostrophe, also the letters of Hawaiian, Hebrew and Arabic names that look like one (unicode.org/charts, Spacing
 * Modifier Letters). Nobody looks for it: "O'Neill" is "Oneill" in other lists.
 */
export const APOSTROPHES =
  "'\u0060\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u2018\u2019\u201a\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40"
/** It would become a blank and an accent. */
const ACUTES = /\u00b4/g
const DASHES = /[\u2010-\u2015\u2212]/g
/** They would be a backslash, which in a pattern stands for the character after it. */
const BACKSLASHES = /[\uff3c\ufe68]/g
/** Other forms of the percent sign and of the low line, which folding makes plain. */
const PERCENTS = '\uff05\ufe6a'
const LOW_LINES = '\uff3f\ufe33\ufe34\ufe4d-\ufe4f'
const ESCAPED_OR_WIDE = new RegExp(`\\\\[^]|[${PERCENTS}${LOW_LINES}]`, 'gu')
const PERCENT = new RegExp(`[${PERCENTS}]$`, 'u')
const LOW_LINE = new RegExp(`[${LOW_LINES}]$`, 'u')
const UNSEEN = '\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff'
const LEFT_OUT = new RegExp(`[${APOSTROPHES}${UNSEEN}]`, 'g')

/** A text as people look for it, as the function `connect_fold` of the database reads it: "Müller" is "muller", `O’Brien` is "obrien". */
export function foldText(text: string): string {
  return text
    .replaceAll(ACUTES, '')
    .replaceAll(DASHES, '-')
    .replaceAll(BACKSLASHES, '/')
    .normalize('NFKD')
    .replaceAll(LEFT_OUT, '')
    .toLowerCase()
    .replaceAll(OTHERS, (letter) => LETTERS[letter] ?? letter)
}

/** How German names are written where a keyboard has no umlauts. */
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }
/** No umlaut stands after a vowel, or after a q. */
const WRITTEN_UMLAUT = /(?<![aeiouq])[aou]e/gi
/** With fewer letters it would be the beginning of too many other names: "Joel" is no "Jol". */
const ENOUGH_LETTERS = /(?:\p{L}\P{L}*){4}/u
/** Characters of a name; a longer text, which takes long to spell, is none. */
const SPELT_CHARS_MAX = 200

/** The same in the other spelling of its umlauts: "Mueller" for "Müller", and "Muller", as which "Müller" is folded, for "Mueller". */
export function umlautSpellings(text: string): string[] {
  if (text.length > SPELT_CHARS_MAX) return []
  const plain = text.normalize('NFC')
  const spelt = plain.replaceAll(/[äöü]/gi, (letter) => UMLAUTS[letter.toLowerCase()] ?? letter)
  const shortened = plain.replaceAll(WRITTEN_UMLAUT, (written) => written.slice(0, 1))
  const isName = ENOUGH_LETTERS.test(shortened)
  return [...new Set([spelt, ...(isName ? [shortened] : [])])].filter((each) => each !== plain)
}

/**
 * A pattern of `like` that is folded afterwards: signs of which folding makes a wildcard stand for themselves in it, and no backslash
 * before a sign that folding leaves out would stand for the next one.
 */
export function patternToFold(pattern: string): string {
  return pattern.replaceAll(ESCAPED_OR_WIDE, (found) => {
    if (PERCENT.test(found)) return '\\%'
    if (found.startsWith('\\') && foldText(found.slice(1)) === '') return ''
    return LOW_LINE.test(found) ? '\\_' : found
  })
}
