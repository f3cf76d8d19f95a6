import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { type FoldedText, foldWithPlaces } from './folded-with-places.ts'
import type { Sought } from './person.ts'

/** What stands where a name, a number or an address stood. */
export const REDACTED = '•••'

/** Words of a name that are compared; one word alone stands for too many others. */
const WORDS_MIN = 2
const WORDS_MAX = 12
/** Characters between two words of a name. */
const WORD_GAP_MAX = 4
/** Characters between two digits of a number as people write them. */
const DIGIT_GAP_MAX = 3
/** Shorter numbers are looked for with their country code only: alone they are amounts and years. */
const NATIONAL_DIGITS_MIN = 7
/** Fewer digits are in nearly every number. */
const DIGITS_MIN = 6
/** What national forms of some countries begin with. */
const TRUNKS = ['0', '8', '06']
/** What is dialled before a country code. */
const ABROAD = ['00', '011', '']
const COUNTRY_CODE_DIGITS_MAX = 3
/** Longer texts are looked through in parts, each with the end of the one before it. */
const PART_CHARS = 65_536
const OVERLAP_CHARS = 1_024

const WORD = /[\p{L}\p{N}]+/gu

/** A part of a text, from its first character to the one after its last. */
interface Span {
  readonly from: number
  readonly to: number
}

interface SoughtNumber {
  readonly national: string
  readonly code: string | undefined
}

/**
 * Finds the written forms of a person in texts, in time that grows with the text alone. Names count where they are asked for, and
 * in a text that has a number or an address of theirs: elsewhere a name may be anybody's, or a phrase.
 */
export class Mentions {
  readonly #names: readonly (readonly string[])[]
  readonly #numbers: readonly SoughtNumber[]
  readonly #emails: readonly string[]

  constructor({ names, numbers, emails }: Sought) {
    this.#names = names.flatMap(spellingsOf).flatMap(wordOrders)
    this.#numbers = numbers.map(toSought).filter(({ national }) => national.length >= DIGITS_MIN)
    this.#emails = emails.map((email) => foldWithPlaces(email.trim()).text).filter((email) => /.@./.test(email))
  }

  /** Whether a number or an address is in the text, or a name where names count. */
  isIn(text: string, { withNames = false } = {}): boolean {
    for (let from = 0; ; from += PART_CHARS - OVERLAP_CHARS) {
      const folded = foldWithPlaces(text.slice(from, from + PART_CHARS))
      if (this.#contacts(folded).length > 0 || (withNames && this.#namesIn(folded).length > 0)) return true
      if (from + PART_CHARS >= text.length) return false
    }
  }

  /** The text with each mention redacted. */
  redact(text: string, { withNames = false } = {}): string {
    const folded = foldWithPlaces(text)
    const contacts = this.#contacts(folded)
    const names = withNames || contacts.length > 0 ? this.#namesIn(folded) : []
    return replaced(text, folded, [...contacts, ...names])
  }

  /** JSON with each mention in its values redacted; its keys and its form stay. */
  redactJson(value: unknown, options: { withNames?: boolean } = {}): unknown {
    if (typeof value === 'string') return this.redact(value, options)
    if (typeof value === 'number') return this.isIn(String(value)) ? REDACTED : value
    if (Array.isArray(value)) return value.map((each) => this.redactJson(each, options))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.redactJson(each, options)]))
  }

  #contacts(folded: FoldedText): Span[] {
    const groups = this.#numbers.length === 0 ? [] : digitGroups(folded.text)
    return [
      ...this.#emails.flatMap((email) => emailIn(folded.text, email)),
      ...groups.flatMap((group) => this.#numbers.flatMap((number) => numberIn(folded.text, group, number))),
    ]
  }

  #namesIn({ text }: FoldedText): Span[] {
    if (this.#names.length === 0) return []
    const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }))
    return this.#names.flatMap((name) => nameIn(words, name))
  }
}

/** A name with an apostrophe is written without it, too. */
function spellingsOf(name: string): string[] {
  const plain = foldWithPlaces(name).text
  return plain.includes("'") ? [plain, plain.replaceAll("'", '')] : [plain]
}

/** The words of a folded name as it is, and with the last one first, which may be of several parts. */
function wordOrders(name: string): string[][] {
  const words = (name.match(WORD) ?? []).slice(0, WORDS_MAX)
  if (words.length < WORDS_MIN) return []
  const ofLast = /\S+\s*$/.exec(name)?.[0].match(WORD)?.length ?? 1
  const orders = [words, ...[1, ofLast].map((count) => [...words.slice(-count), ...words.slice(0, -count)])]
  return [...new Map(orders.map((order) => [order.join(' '), order])).values()]
}

function toSought(number: string): SoughtNumber {
  return { national: nationalDigits(number), code: parsePhoneNumberFromString(number)?.countryCallingCode }
}

/** The digits that stand in every written form of a number. */
export function nationalDigits(number: string): string {
  return parsePhoneNumberFromString(number)?.nationalNumber ?? number.replaceAll(/\D/g, '')
}

interface Word extends Span {
  readonly word: string
}

function nameIn(words: readonly Word[], name: readonly string[]): Span[] {
  const found: Span[] = []
  for (let at = 0; at + name.length <= words.length; at += 1) {
    const last = words[at + name.length - 1]
    const first = words[at]
    if (first === undefined || last === undefined || !isNameAt(words, at, name)) continue
    found.push({ from: first.from, to: last.to })
    at += name.length - 1
  }
  return found
}

function isNameAt(words: readonly Word[], at: number, name: readonly string[]): boolean {
  return name.every((each, place) => {
    const word = words[at + place]
    const before = place === 0 ? undefined : words[at + place - 1]
    return word?.word === each && (before === undefined || word.from - before.to <= WORD_GAP_MAX)
  })
}

/** Digits that may be one number, with where each stands. */
interface DigitGroup {
  readonly digits: string
  readonly places: readonly number[]
}

function digitGroups(text: string): DigitGroup[] {
  const groups: DigitGroup[] = []
  let digits = ''
  let places: number[] = []
  const end = (): void => {
    if (digits.length >= DIGITS_MIN) groups.push({ digits, places })
    digits = ''
    places = []
  }
  for (const { 0: run, index } of text.matchAll(/\d+|\p{L}+/gu)) {
    const isDigits = /\d/.test(run)
    if (!isDigits || (places.length > 0 && index - (places.at(-1) ?? 0) - 1 > DIGIT_GAP_MAX)) end()
    if (!isDigits) continue
    for (let each = 0; each < run.length; each += 1) places.push(index + each)
    digits += run
  }
  end()
  return groups
}

function numberIn(text: string, group: DigitGroup, number: SoughtNumber): Span[] {
  const { digits, places } = group
  const { national } = number
  const found: Span[] = []
  for (let at = digits.indexOf(national); at >= 0; at = digits.indexOf(national, at + 1)) {
    const last = at + national.length - 1
    const isFollowed = isAdjacent(places, last + 1)
    const first = isFollowed ? undefined : firstDigit(text, group, { ...number, at })
    if (first === undefined) continue
    found.push(withSign(text, { from: places[first] ?? 0, to: (places[last] ?? 0) + 1 }))
  }
  return found
}

/** Whether a digit stands right after the one before it. */
function isAdjacent(places: readonly number[], at: number): boolean {
  return at > 0 && at < places.length && (places[at] ?? 0) - (places[at - 1] ?? 0) === 1
}

/** Where the number begins, with its country code or trunk digit; undefined when it is part of another number. */
function firstDigit(
  text: string,
  { digits, places }: DigitGroup,
  { at, national, code }: SoughtNumber & { at: number },
): number | undefined {
  const before = digits.slice(0, at)
  const abroad = code === undefined ? [] : ABROAD.flatMap((dialled) => [`${dialled}${code}0`, `${dialled}${code}`])
  const prefix = [...abroad, ...TRUNKS]
    .filter((each) => before.endsWith(each) && !isAdjacent(places, at - each.length))
    .sort((one, other) => other.length - one.length)[0]
  if (prefix !== undefined) return at - prefix.length
  if (national.length < NATIONAL_DIGITS_MIN || isAdjacent(places, at)) return undefined
  return isOfAnotherCountry(text, { digits, places }, at) ? undefined : at
}

/** `+49 415…` is a number of another country, whatever follows its code. */
function isOfAnotherCountry(text: string, { places }: DigitGroup, at: number): boolean {
  return at > 0 && at <= COUNTRY_CODE_DIGITS_MAX && text[(places[0] ?? 0) - 1] === '+'
}

/** With the plus before the number, and the bracket that is closed inside it. */
function withSign(text: string, { from, to }: Span): Span {
  const isOpened = text[from - 1] === '(' && text.slice(from, to).includes(')')
  const start = isOpened ? from - 1 : from
  return { from: text[start - 1] === '+' ? start - 1 : start, to }
}

function emailIn(text: string, email: string): Span[] {
  const found: Span[] = []
  for (let from = text.indexOf(email); from >= 0; from = text.indexOf(email, from + 1)) {
    const to = from + email.length
    const isWhole =
      !/[\p{L}\p{N}._%-]/u.test(text[from - 1] ?? '') &&
      !/^(?:[\p{L}\p{N}]|[.-][\p{L}\p{N}])/u.test(text.slice(to, to + 2))
    if (isWhole) found.push({ from, to })
  }
  return found
}

/** The text with the spans of its folded form replaced; those that overlap are one. */
function replaced(text: string, { starts, ends }: FoldedText, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const parts: string[] = []
  let done = 0
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const [start, end] = [starts[from] ?? 0, ends[to - 1] ?? 0]
    if (end <= done) continue
    if (start >= done) parts.push(text.slice(done, start), REDACTED)
    done = end
  }
  parts.push(text.slice(done))
  return parts.join('')
}
