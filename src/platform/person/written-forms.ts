import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** What stands where a name, a number or an address stood. */
export const BLOT = '•••'

/** Fewer digits are in nearly every number. */
const DIGITS_MIN = 6
/** Between two digits as people write them, also in an address of the web. */
const GAP = '(?:%20|[^0-9A-Za-z]){0,3}'
/** Between two words, in texts, JSON, HTML and addresses of the web. */
const BLANK = '(?:%20|%2C|&nbsp;|\\\\u00a0|[^0-9A-Za-z]){1,4}'
const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }

interface Written {
  names: readonly string[]
  /** As people wrote them or in E.164. */
  numbers: readonly string[]
  emails: readonly string[]
}

/**
 * One pattern for every usual written form, understood alike by PostgreSQL and by JavaScript, regardless of case. A name of one
 * word is too common to be looked for in what was written about others, and is left out.
 */
export function patternOf({ names, numbers, emails }: Written): string {
  const parts = [
    ...names.flatMap(nameForms),
    ...numbers.flatMap(numberForms),
    ...emails.filter((email) => email.includes('@')).map((email) => bounded(literal(email.trim()))),
  ]
  return parts.length === 0 ? '' : parts.join('|')
}

/** The pattern for this side. */
export function toRegExp(pattern: string): RegExp | undefined {
  return pattern === '' ? undefined : new RegExp(pattern, 'giu')
}

function nameForms(name: string): string[] {
  const words = name.trim().split(/\s+/).filter(Boolean).map(literal)
  if (words.length < 2) return []
  const turned = [words.at(-1) ?? '', ...words.slice(0, -1)]
  return [...new Set([words, turned].map((each) => bounded(each.join(BLANK))))]
}

function numberForms(number: string): string[] {
  const parsed = parsePhoneNumberFromString(number)
  const digits = parsed?.nationalNumber ?? number.replaceAll(/\D/g, '')
  if (digits.length < DIGITS_MIN) return []
  const spaced = [...digits].join(GAP)
  const code = parsed === undefined ? '' : [...parsed.countryCallingCode].join(GAP)
  // National forms begin with the trunk digits of some countries; international ones with what is dialled before the code.
  const trunk = `(?:0|8|06)${GAP}`
  const abroad = code === '' ? trunk : `(?:(?:%2B|00|011)?${GAP}${code}${GAP}(?:\\(?0\\)?${GAP})?|${trunk})`
  return [`(?<![0-9])(?:%20)*${abroad}?${spaced}(?![0-9])`]
}

function bounded(pattern: string): string {
  return `(?<![A-Za-z0-9])${pattern}(?![A-Za-z0-9])`
}

/** Each character as it is, and as addresses, JSON and HTML write it. */
function literal(text: string): string {
  return [...text.toWellFormed().normalize('NFC')].map(character).join('')
}

function character(each: string): string {
  if (/[A-Za-z0-9]/.test(each)) return each
  const forms = new Set([
    escaped(each),
    escaped(each.normalize('NFD')),
    encodeURIComponent(each).replace(/^[^%].*$/, ''),
    percent(each),
    `\\\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ...(ENTITIES[each] === undefined ? [] : [`&${ENTITIES[each]};`]),
  ])
  forms.delete('')
  return `(?:${[...forms].join('|')})`
}

function percent(each: string): string {
  return [...Buffer.from(each)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
