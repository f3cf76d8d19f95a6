/** Letters that no accent is taken off of, as the service reads them (src/folded-text.ts). */
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
  ς: 'σ',
}

/** Apostrophes, however they are written (`APOSTROPHES` there), and signs that nobody sees. */
const LEFT_OUT =
  /['`\u00ad\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40\p{M}]/gu

/** A text as people look for it: "Müller" is "muller", "Łódź" is "lodz", "O'Neill" is "oneill". */
export function folded(text: string): string {
  return text
    .replaceAll('\u00b4', '')
    .normalize('NFKD')
    .replaceAll(LEFT_OUT, '')
    .toLowerCase()
    .replaceAll(/[łđðøħŧıßæœþς]/g, (letter) => LETTERS[letter] ?? letter)
}

/** How German names are written where a keyboard has no umlauts, as the service reads them. */
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }
const WRITTEN_UMLAUT = /(?<![aeiouq])[aou]e/gi
const SHORTENED_MIN = 4

function spellingsOf(wanted: string): string[] {
  const plain = wanted.normalize('NFC')
  const shortened = plain.replaceAll(WRITTEN_UMLAUT, (written) => written.slice(0, 1))
  const spelt = plain.replaceAll(/[äöü]/gi, (letter) => UMLAUTS[letter.toLowerCase()] ?? letter)
  return [plain, spelt, ...(shortened.length >= SHORTENED_MIN ? [shortened] : [])]
}

/** Whether the text has what is looked for in it, in any case and accent, and in either spelling of German umlauts. */
export function holds(text: string, wanted: string): boolean {
  const all = folded(text)
  return spellingsOf(wanted.trim()).some((each) => all.includes(folded(each)))
}
