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

/** A text as people look for it: "Müller" is "muller", "Łódź" is "lodz". */
export function folded(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[łđðøħŧıßæœþς]/g, (letter) => LETTERS[letter] ?? letter)
}

/** Whether the text has what is looked for in it, in any case and accent. */
export function holds(text: string, wanted: string): boolean {
  return folded(text).includes(folded(wanted.trim()))
}
