// How people, spreadsheets and address books write a telephone number, and what of it is the number.

/** What is in none of the number's characters: nearly every address that a provider sends. */
const PLAIN = /^[\x21-\x7e]*$/
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
const BLANKS = /[\s\p{Z}\p{Cc}]+/gu
const DASHES = /[\p{Pd}\u2212\u02d7\u2043\u30fc]/gu
/** The two other rows of digits that keyboards have: Arabic and Persian. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g

/** Spreadsheets write an apostrophe, an equals sign or quotes around a number so that it stays a text. */
const QUOTES = /^[\s='"‘’‚‛“”`´]+|[\s'"‘’‛“”`´]+$/g
const SCHEME = /^\s*(?:whatsapp|sips?|client|tel|callto|sms|smsto|mms|rcs):/i

/** Words that stand before or after a number, in the languages that our users write. */
const WORD =
  'telefono|teléfono|telefone|telefon|telephone|téléphone|telefoon|tel|tél|tlf|tfn|phone|fon|ph|mobiltelefon|mobile|mobil|móvil|movil|mob|' +
  'handy|natel|cellphone|cellulare|celular|cellular|cell|cel|portable|portatile|fixe|fisso|fijo|festnetz|landline|fax|' +
  'home|work|office|main|direct|private|privat|privé|geschäftlich|geschäft|büro|bureau|ufficio|casa|arbeit|zentrale|durchwahl|' +
  'whatsapp|number|nummer|numero|numéro|número|nr|no|[tmpdfhow]'
const LABEL = `(?:${WORD})(?![\\p{L}\\p{N}])`
const NEXT_IS_NUMBER = '(?=\\s*[+(\\d])'
const LABEL_BEFORE = new RegExp(
  `^(?:${LABEL}[\\s.]*(?:\\([^()\\d]{0,30}\\))?[\\s.:-]*){1,3}${NEXT_IS_NUMBER}|^\\p{L}[\\p{L} .'-]{0,30}(?::|\\.)\\s+${NEXT_IS_NUMBER}|^\\p{L}[\\p{L} .'-]{0,30}:(?=\\+)`,
  'iu',
)
const NOTE_AFTER = new RegExp(`\\s*(?:[([][^()[\\]\\d]{0,40}[)\\]]|[\\s,–-]\\s*${LABEL}[.:]?)$`, 'iu')
const NOTES_MAX = 3

/** What is dialled once the call is answered: an extension, or digits after a pause. */
const EXTENSION =
  /\s*[,;]?\s*(?:(?:extension|extn|ext|durchwahl|dw|poste|interno|intern|int|ramal|anexo)\.?\s*[:=]?|x|#|[pw,;]+)\s*\d{1,7}#?$/i
/** As a spreadsheet writes a number that it took for an amount. */
const FLOAT = /^\+?([1-9]\d{5,14})[.,]0{1,3}$/
const EXPONENT = /^\+?([1-9])[.,](\d{5,14})e\+?(\d{1,2})$/i

const CODE_IN_BRACKETS = /^\(\s*((?:\+|00)\s*\d{1,4})\s*\)|^\+\s*\(\s*(\d{1,4})\s*\)/
const NEXT_NUMBER = /\s*(?:[,;|&/]|\s(?:or|and|oder|und|ou|et|o|y)\s)\s*/i
/** As many digits are a number by themselves: with the country, and without. Fewer are the area code before a slash. */
const ALONE_DIGITS = { international: 10, national: 7 }

/** A text without the characters that nobody sees, with plain blanks, dashes, digits and letters. */
export function plainText(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(DASHES, '-')
    .replaceAll(BLANKS, ' ')
    .replaceAll(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .trim()
}

/** Whether a text begins with a way to reach somebody, as `sip:` and `whatsapp:` are. */
function hasScheme(text: string): boolean {
  return SCHEME.test(text)
}

/** The number that somebody wrote, without labels, notes, extension and whatever else stands around it. */
interface WrittenNumber {
  readonly text: string
  /** A spreadsheet took it for an amount: it has neither its + nor its first 0 any more. */
  readonly isAmount: boolean
}

/** Of several numbers the first; a text that is none comes back as it is. */
export function readWritten(raw: string): WrittenNumber {
  const bare = plainText(raw).replaceAll(QUOTES, '')
  const amount = amountOf(bare)
  if (amount !== undefined) return { text: amount, isAmount: true }
  if (/[@<>]/.test(bare)) return { text: bare, isAmount: false }
  let text = (hasScheme(bare) ? bare.replace(SCHEME, '').replace(/;.*$/s, '') : bare.replace(LABEL_BEFORE, '')).trim()
  for (let notes = 0; notes < NOTES_MAX && NOTE_AFTER.test(text); notes += 1) text = text.replace(NOTE_AFTER, '')
  text = firstOf(text).replace(EXTENSION, '')
  return { text: text.replace(CODE_IN_BRACKETS, bracketsRemoved).trim(), isAmount: false }
}

function bracketsRemoved(_whole: string, code: string | undefined, afterPlus: string | undefined): string {
  return `${code ?? `+${afterPlus}`} `
}

function firstOf(text: string): string {
  const [first = ''] = text.split(NEXT_NUMBER, 1)
  const digits = first.replaceAll(/\D/g, '').length
  const isInternational = /^\s*\(?\s*(?:\+|00)/.test(first)
  return digits >= ALONE_DIGITS[isInternational ? 'international' : 'national'] ? first : text
}

/** All digits of an amount; undefined for other texts, and where digits were rounded away. */
function amountOf(text: string): string | undefined {
  const [, whole] = FLOAT.exec(text) ?? []
  if (whole !== undefined) return whole
  const [, first, others = '', exponent] = EXPONENT.exec(text) ?? []
  if (first === undefined) return undefined
  const digits = Number(exponent)
  const rest = others.slice(digits)
  return others.length >= digits && /^0*$/.test(rest) ? first + others.slice(0, digits) : undefined
}
