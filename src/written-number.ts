// How people, spreadsheets and address books write a telephone number, and what of it is the number.

/** What is in none of the number's characters: nearly every address that a provider sends. */
const PLAIN = /^[\x21-\x7e]*$/
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
const BLANKS = /[\s\p{Z}\p{Cc}]+/gu
const DASHES = /[\p{Pd}\u2212\u02d7\u2043\u30fc]/gu
/** Digits of another script: ten in a row, from its zero on (unicode.org/reports/tr44, Nd). */
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu
const IS_DIGIT = /^\p{Nd}$/u
const HIGHEST_DIGIT = 9

/** Spreadsheets write an apostrophe, an equals sign or quotes around a number so that it stays a text. */
const QUOTES = /^[\s='"‘’‚‛“”„«»‹›`´]+|[\s'"‘’‛“”«»‹›`´]+$/g
/** Signs such as a telephone before a number. */
const SIGNS = /^[\s\p{So}]+|[\s\p{So}]+$/gu
/** On WhatsApp every number has its country in front. */
const WHATSAPP = /^\s*whatsapp:\s*(?=[1-9])/i
/** For a number of a place, which place it is (RFC 3966, 5.1.5). */
const PLACE = /;phone-context=(\+\d{1,4})(?:;|$)/i
/** A + beside the 00 that stands for it. */
const DOUBLED_PLUS = /^(?:\+\s*00|00\s*\+)(?=\s*[1-9(])/
const SCHEME = /^\s*(?:whatsapp|sips?|client|tel|callto|sms|smsto|mms|rcs):(?:\/\/)?/i
/** A line of an address card: TEL;TYPE=CELL:+41… (RFC 6350, 6.4.1). */
const CARD = /^tel(?:;[\w=,"-]{1,40}){1,4}:(?:tel:)?/i
/** Links that open a chat with a number, which has no + there (https://faq.whatsapp.com/5913398998672934). */
const CHAT_LINK =
  /^(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?phone=)(?:\+|%2b)?(\d{6,15})(?:\D.*)?$/i

/** Words that stand before or after a number, in the languages that our users write. */
const WORD =
  'telefono|teléfono|telefone|telefon|telephone|téléphone|telefoon|tel|tél|tlf|tfn|phone|fon|ph|mobiltelefon|mobile|mobil|móvil|movil|mob|' +
  'handy|natel|cellphone|cellulare|celular|cellular|cell|cel|portable|portatile|fixe|fisso|fijo|festnetz|landline|fax|' +
  'home|work|office|main|direct|private|privat|privé|geschäftlich|geschäft|büro|bureau|ufficio|casa|arbeit|zentrale|durchwahl|' +
  'rufnummer|telefonnummer|mobilnummer|handynummer|whatsapp|number|nummer|numero|numéro|número|n°(?: *de)?|nr|no|[tmpdfhow]'
const LABEL = `(?:${WORD})(?![\\p{L}\\p{N}])`
const NEXT_IS_NUMBER = '(?=\\s*[+(\\d])'
const LABEL_BEFORE = new RegExp(
  `^(?:${LABEL}[\\s.#]*(?:\\([^()\\d]{0,30}\\))?[\\s.:-]*){1,3}${NEXT_IS_NUMBER}|^\\p{L}[\\p{L} .'-]{0,30}(?::|\\.)\\s+${NEXT_IS_NUMBER}|^\\p{L}[\\p{L} .'-]{0,30}:(?=\\+)`,
  'iu',
)
/** A word of another alphabet: no scheme of an address, nor the name that a sender chose, is written in one. */
const OTHER_LABEL = new RegExp(
  `^(?!\\p{Script=Latin})\\p{L}(?:(?!\\p{Script=Latin})[\\p{L}\\p{M} .]){0,30}:?${NEXT_IS_NUMBER}`,
  'iu',
)
const NOTE_AFTER = new RegExp(`\\s*(?:[([][^()[\\]\\d]{0,40}[)\\]]|[\\s,–-]\\s*${LABEL}[.:]?)$`, 'iu')
const NOTES_MAX = 3

/** What is dialled once the call is answered: an extension, or digits after a pause. */
const EXTENSION =
  /\s*[,;]?\s*[([]?(?:(?:extension|extn|ext|durchwahl|dw|poste|interno|intern|int|ramal|anexo)\.?\s*[:=]?|x|#|[pw,;]+)\s*\d{1,7}#?[)\]]?$/i
/** As a spreadsheet writes a number that it took for an amount. */
const FLOAT = /^\+?([1-9]\d{5,14})[.,]0{1,3}$/
const EXPONENT = /^\+?([1-9])[.,](\d{5,14})e\+?(\d{1,2})$/i

/** What is written between digits and says nothing, beside what numbers have between theirs. */
const OTHER_SEPARATORS = /(?<=[\d)]\s*)['’‘`´_·•∙⋅・~\\^]+(?=\s*[\d(])/g
const OTHER_SLASHES = /[\u2044\u2215]/g
const LINE_ENDS = /\s*[\n\r\t\v\u2028\u2029]+\s*/

/** Brazilian: in the place of xx the caller dials a carrier of their choice (Anatel, código de seleção de prestadora). */
const CARRIER = /\(?(?<!\d)0 ?xx ?(\d{2})\)?/i
/** The code, and often what comes next of the number. */
const CODE_IN_BRACKETS = /^\(\s*((?:\+|00)\s*\d[\d\s]{0,8})\)|^\+\s*\(\s*(\d{1,4})\s*\)/
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
    .replaceAll(OTHER_DIGITS, digitOf)
    .trim()
}

/** Which of the ten of its script a digit is: as many digits stand before it. */
function digitOf(digit: string): string {
  const at = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < HIGHEST_DIGIT && IS_DIGIT.test(String.fromCodePoint(at - value - 1))) value += 1
  return String(value)
}

/** Whether a text begins with a way to reach somebody, as `sip:` and `whatsapp:` are. */
function hasScheme(text: string): boolean {
  return SCHEME.test(text)
}

/** The number that somebody wrote, without labels, notes, extension and whatever else stands around it. */
interface WrittenNumber {
  readonly text: string
  /** It has neither its + nor its first 0: a spreadsheet took it for an amount, or it came from WhatsApp. */
  readonly lacksPlus: boolean
}

/** Of several numbers the first; a text that is none comes back as it is. */
export function readWritten(raw: string): WrittenNumber {
  const bare = plainText(firstOf(raw, LINE_ENDS)).replaceAll(QUOTES, '').replaceAll(SIGNS, '')
  const amount = amountOf(bare)
  if (amount !== undefined) return { text: amount, lacksPlus: true }
  const [, linked] = CHAT_LINK.exec(bare) ?? []
  if (linked !== undefined) return { text: `+${linked}`, lacksPlus: false }
  if (/[@<>]/.test(bare)) return { text: bare, lacksPlus: false }
  let text = withoutLabel(bare)
    .replace(CARRIER, '0$1 ')
    .replaceAll(OTHER_SLASHES, '/')
    .replaceAll(OTHER_SEPARATORS, ' ')
    .trim()
  for (let notes = 0; notes < NOTES_MAX && NOTE_AFTER.test(text); notes += 1) text = text.replace(NOTE_AFTER, '')
  text = firstOf(text, NEXT_NUMBER).replace(EXTENSION, '')
  text = text.replace(CODE_IN_BRACKETS, bracketsRemoved).trim().replace(DOUBLED_PLUS, '+')
  return { text, lacksPlus: WHATSAPP.test(bare) }
}

function bracketsRemoved(_whole: string, code: string | undefined, afterPlus: string | undefined): string {
  return `${code ?? `+${afterPlus}`} `
}

function withoutLabel(text: string): string {
  if (hasScheme(text)) return withPlace(text.replace(SCHEME, ''))
  return CARD.test(text) ? text.replace(CARD, '') : text.replace(LABEL_BEFORE, '').replace(OTHER_LABEL, '')
}

/** The number of an address, without its parameters; one of a place with that before it. */
function withPlace(address: string): string {
  const number = address.replace(/;.*$/s, '')
  const [, place] = PLACE.exec(address) ?? []
  return place === undefined || number.startsWith('+') ? number : `${place} ${number}`
}

function firstOf(text: string, separator: RegExp): string {
  const [first = ''] = text.split(separator, 1)
  const digits = first.match(/\p{Nd}/gu)?.length ?? 0
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
