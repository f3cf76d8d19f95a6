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

/** Whether the text has what is looked for in it, in any case and accent. */
export function holds(text: string, wanted: string): boolean {
  return folded(text).includes(folded(wanted.trim()))
}
