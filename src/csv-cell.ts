/** Files of the command line and of the page: the page is built with this one file of the service. */

/** Between cells, in the file or in whatever reads it: which one a spreadsheet takes depends on its country. */
const SEPARATOR = /([,;\t|\r\n])/
/** What a spreadsheet would take for a formula (OWASP, "CSV Injection"), also in full or small width, behind blanks and quotes. */
const FORMULA =
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800"'`\u2018-\u201f\u00ab\u00bb]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/u
/** A number, of a phone or another, calculates nothing and stays as people read it. */
const PLAIN_NUMBER = /^ *[+-]?(?:[\d .()/-]*\d[\d .()/-]*|\d*\.?\d+e[+-]?\d+)[ \]})]*$/i

/**
 * A text as one cell (RFC 4180): quoted where somebody could take a part of it for a cell of its own, and with a `'` before
 * each part that a spreadsheet would calculate.
 */
export function csvCell(text: string): string {
  const parts = text
    .split(SEPARATOR)
    .map((part) => (FORMULA.test(part) && !PLAIN_NUMBER.test(part) ? `'${part}` : part))
  const disarmed = /^[\t\r]/.test(text) ? `'${parts.join('')}` : parts.join('')
  return SEPARATOR.test(disarmed) || disarmed.includes('"') ? `"${disarmed.replaceAll('"', '""')}"` : disarmed
}
