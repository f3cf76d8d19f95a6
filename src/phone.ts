import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { forgetOldest } from './forget-oldest.ts'
import { asWrittenToday } from './number-plans.ts'
import { isWithheld } from './withheld.ts'
import { plainText, readWritten } from './written-number.ts'

/** To be raised when a written number is read as another one than before: all stored numbers are then read anew, once. */
export const NUMBER_READER = 7

/** No written phone number or SIP address that we handle is longer; the rest is not looked at. */
export const ADDRESS_CHARS_MAX = 256

/** Numbers that are kept in memory as they were read: to read one takes some twenty microseconds. */
const RECENT_MAX = 2_000

// Fewer digits are an extension (MAX_EXTEN_LEN is 4) or an SMS short code, even where the country has such numbers.
const NATIONAL_DIGITS_MIN = 6
// Below this, a local number without its area code would pass for a number of some foreign country.
const PLUSLESS_DIGITS_MIN = 8
// Where a 0 or the like is dialled before national numbers, as few digits without it are a short code or lack their area code.
const UNPREFIXED_DIGITS_MIN = 7
/**
 * The same in all of Europe, and nobody's number: help such as 116117 (Commission Decision 2007/116/EC), and directory enquiries (ECC
 * Decision (97)01).
 */
const HARMONISED_SHORT = /^11[68]\d{3}$/
// Spreadsheets and WhatsApp leave out the + and the first 0. Nobody's national number has as many digits without them.
export const LACKING_PLUS_DIGITS_MIN = 11

// With fewer, a number of ours may as well be a national one: ten digits are one of North America.
const OWN_WITH_CODE_DIGITS_MIN = 11

const SCHEMES = /^(?:\s*(?:whatsapp|sips?|client|tel|callto|smsto|sms|mms|rcs):)+/i
/** The 0 of a number that is dialled within its country. */
const NATIONAL_ZERO = /^\(?0(?!0)/
const DOUBLE_ZERO = /^\(?00\)?[\s.\-/]*/
const E164 = /^\+[1-9]\d{3,14}$/
/** No area code of North America begins with 0 or 1 (nationalnanpa.com, "NPA"): who writes it so means a number of another country. */
const NO_AREA_CODE = /^\+1[01]/
/**
 * An Argentine mobile number with the 9 of those who call from abroad and the 15 of those at home (ENACOM, Plan Fundamental de
 * Numeración Nacional), or with their 0.
 */
const ARGENTINE_OF_BOTH = /^\+5490?(?=\d{12}$)(\d{2,4}15\d{6,8})$/
const ARGENTINE_WITH_ZERO = /^\+5490(?=\d{10}$)/
/** Mexican numbers with what was dialled before them within the country until 3 August 2019 (IFT, Plan Técnico Fundamental de Numeración). */
const MEXICAN_OF_HOME = /^\+521?(?:01|04[45])(?=\d{10}$)/
/** An international number, whatever stands between its digits. */
const SEPARATED = /^\+[\s().\-/\d]*$/

// In letters: "+49 (0) 89 …", of which the 0 is for those who dial within the country.
const TRUNK_ZERO = /^(\+[\s().\-/]*\d{1,3}[\s.\-/]*)\(0\)/

/** The number or user part of an address: no scheme, host, port or parameters. */
export function bareAddress(raw: string): string {
  const text = plainText(raw.slice(0, ADDRESS_CHARS_MAX))
  const address = (/<([^<>]*)>/.exec(text)?.[1] ?? text).replace(SCHEMES, '')
  const [user = ''] = address.split(/[@;?]/, 1)
  return user
    .replace(/:.*$/s, '')
    .replace(/^\s*(?:%2b|＋)/i, '+')
    .trim()
}

/**
 * A user of WhatsApp who shows no number has this id there (docs/reference/providers.md#whatsapp-users). A user name, which may be
 * somebody else's tomorrow, has no capital letters.
 */
const CHANNEL_USER = /^[A-Z]{2}\.(?:ENT\.)?(?=[A-Za-z]*\d)[A-Za-z\d]{1,128}$/

/** What a contact is known by: the E.164 form of a number, or the id of a user of a channel who shows none. */
export function toContactKey(raw: string | null | undefined, country: string | undefined): string | undefined {
  return channelUserIn(raw) ?? toE164(raw, country)
}

/** The id of a user of a channel who shows no number, as it is stored; undefined where a text is none. */
export function channelUserIn(raw: string | null | undefined): string | undefined {
  if (!raw || raw.length > ADDRESS_CHARS_MAX) return undefined
  const id = plainText(raw).replace(/^(?:whatsapp:\s*)+/i, '')
  return CHANNEL_USER.test(id) ? id : undefined
}

/** Numbers read lately, as they were written; null for what is none. */
const recent = new Map<string, string | null>()

/** The E.164 form of a number written in any way, or undefined when it is no phone number. `country` is an ISO code. */
export function toE164(raw: string | null | undefined, country: string | undefined): string | undefined {
  if (!raw || raw.length > ADDRESS_CHARS_MAX) return undefined
  // Each report of a call brings the same two numbers, and one of them is nearly always ours.
  const key = `${country ?? ''}\0${raw}`
  let number = recent.get(key)
  if (number === undefined) {
    number = readE164(raw, country) ?? null
    recent.set(key, number)
    forgetOldest(recent, RECENT_MAX)
  }
  return number ?? undefined
}

function readE164(raw: string, country: string | undefined): string | undefined {
  const { text, lacksPlus } = readWritten(raw)
  const address = bareAddress(text)
  if (isWithheld(address)) return undefined
  const readings = listReadings(address, knownCountry(country), lacksPlus)
  const possible = readings.filter((reading) => reading !== undefined).filter((reading) => isPossible(reading, address))
  return (possible.find((reading) => reading.isValid()) ?? possible[0])?.number
}

/**
 * A number of ours, of which somebody left the + away: as providers list them, with its country. It is a national one where that
 * is how its country writes it, without a 0 or the like before it.
 */
export function ownToE164(raw: string, country: string | undefined): string | undefined {
  const address = bareAddress(readWritten(raw).text)
  const digits = address.match(/\p{Nd}/gu)?.length ?? 0
  const region = knownCountry(country)
  if (region === undefined || digits < OWN_WITH_CODE_DIGITS_MIN || !/^[1-9]/.test(address)) return toE164(raw, country)
  const [plusless, national] = [parse(`+${address}`), parseNational(address, region)]
  const isNational = national?.isValid() === true && firstDigit(national.formatNational()) === firstDigit(address)
  if (plusless === undefined || isNational || !isPossible(plusless, address)) return toE164(raw, country)
  return plusless.number
}

/** An international number without the 0 in brackets, which is for those who dial within its country; other texts as they are. */
export function withoutTrunkZero(written: string): string {
  return TRUNK_ZERO.test(written) ? (parseInternational(written)?.number ?? written) : written
}

/** How somebody may have meant a number: with its country, dialled from abroad, as at home, or with the + left off. */
export const NUMBER_FORMS = ['international', 'abroad', 'national', 'plusless'] as const

/** Every way in which a number is read, in this order, with what comes of it; the number is the same as `toE164` gives. */
export function formsOf(
  raw: string,
  country: string | undefined,
): { form: (typeof NUMBER_FORMS)[number]; e164: string | null }[] {
  const address = bareAddress(readWritten(raw).text)
  if (isWithheld(address)) return []
  const region = knownCountry(country)
  const read = (parsed: PhoneNumber | undefined) =>
    parsed !== undefined && isPossible(parsed, address) ? parsed.number : null
  if (address.startsWith('+')) return [{ form: 'international', e164: read(parseInternational(address)) }]
  return [
    ...(DOUBLE_ZERO.test(address)
      ? [{ form: 'abroad' as const, e164: read(parse(address.replace(DOUBLE_ZERO, '+'))) }]
      : []),
    ...(region === undefined ? [] : [{ form: 'national' as const, e164: read(parseNational(address, region)) }]),
    { form: 'plusless', e164: read(parse(`+${address}`)) },
  ]
}

/** Whether a number is one of these countries: of one that no country has given out, its calling code decides. */
export function isOfCountries(e164: string, countries: readonly string[]): boolean {
  const number = parsePhoneNumberFromString(e164)
  if (number === undefined) return false
  return countries.some((each) => {
    const country = knownCountry(each)
    if (country === undefined) return false
    return number.country === undefined
      ? number.countryCallingCode === getCountryCallingCode(country)
      : number.country === country
  })
}

/** Whether a text is the code of a country that has telephone numbers, such as CH. */
export function isPhoneCountry(code: string): boolean {
  return knownCountry(code) !== undefined
}

/** The zone of a number's country, where that has only one. */
export function zoneOfNumber(e164: string): string | undefined {
  const country = parsePhoneNumberFromString(e164)?.country
  if (country === undefined) return undefined
  const zones = new Intl.Locale('und', { region: country }).getTimeZones?.() ?? []
  return zones.length === 1 ? zones[0] : undefined
}

/** The ways to understand the address, the likeliest first. */
function listReadings(
  address: string,
  country: CountryCode | undefined,
  lacksPlus: boolean,
): (PhoneNumber | undefined)[] {
  if (address.startsWith('+')) return [parseInternational(address)]

  const digits = address.match(/\p{Nd}/gu)?.length ?? 0
  if (digits < NATIONAL_DIGITS_MIN) return []

  const abroad = DOUBLE_ZERO.test(address) ? parse(address.replace(DOUBLE_ZERO, '+')) : undefined
  const plusless = digits < PLUSLESS_DIGITS_MIN ? undefined : parse(`+${address}`)
  const national = country && parseNational(address, country)
  const isOurs = country && plusless && national && isPluslessOf(country, { plusless, national, address })
  const isWithCode = lacksPlus && digits >= LACKING_PLUS_DIGITS_MIN
  return isOurs || isWithCode ? [abroad, plusless, national] : [abroad, national, plusless]
}

/**
 * Whether a trunk left the '+' off a number of our own country. German numbers, for one, may have so many lengths that
 * 49 176 12345678 is also a national number; but nobody writes that one without its leading 0.
 */
function isPluslessOf(
  country: CountryCode,
  { plusless, national, address }: { plusless: PhoneNumber; national: PhoneNumber; address: string },
): boolean {
  if (plusless.countryCallingCode !== getCountryCallingCode(country)) return false
  return firstDigit(national.formatNational()) !== firstDigit(address)
}

/** Where few digits lack what stands before every number of the country, they are a short code, and no number. */
function parseNational(address: string, country: CountryCode): PhoneNumber | undefined {
  const number = parse(address, country)
  const digits = address.replaceAll(/\P{Nd}/gu, '')
  if (number === undefined || digits.length >= UNPREFIXED_DIGITS_MIN || firstDigit(address) === '0') return number
  const isShort = HARMONISED_SHORT.test(digits) || lacksZero(number, digits, country)
  return number.isValid() && !isShort ? number : undefined
}

/** Whether the country's numbers are written with a 0 before them, and these digits without; some that are free to call have none there. */
function lacksZero(number: PhoneNumber, digits: string, country: CountryCode): boolean {
  const national = number.formatNational()
  if (firstDigit(national) !== firstDigit(digits)) return true
  // The library writes digits as they are when it knows no number like them.
  return national === digits && parse(`0${digits}`, country)?.nationalNumber === number.nationalNumber
}

function firstDigit(text: string): string | undefined {
  return /\d/.exec(text)?.[0]
}

// A possible length is enough: test ranges such as +1 555 are not assignable and must still work. The form must also
// read back as itself, or the stored one would not match the same number coming in again.
function isPossible(reading: PhoneNumber, written: string): boolean {
  if (!reading.isPossible() || !E164.test(reading.number) || NO_AREA_CODE.test(reading.number)) return false
  // A number at home that lacks a digit has a length that is possible with its 0, which nobody dials behind the country's code.
  if (NATIONAL_ZERO.test(written) && reading.nationalNumber.startsWith('0') && !reading.isValid()) return false
  return reading.number === written || parse(reading.number)?.number === reading.number
}

/** Most countries' numbers are read with their 0 in brackets; for those that dial no 0, it is left out. */
function parseInternational(address: string): PhoneNumber | undefined {
  const written = parse(address)
  if (!TRUNK_ZERO.test(address) || (written !== undefined && isPossible(written, address))) return written
  return parse(address.replace(TRUNK_ZERO, '$1'))
}

function parse(text: string, country?: CountryCode): PhoneNumber | undefined {
  const read = parseAsWritten(SEPARATED.test(text) ? inOneForm(text.replaceAll(/[^+\d]/g, '')) : text, country)
  // A number in an old form may have a length that is none today.
  const national = country === undefined || text.startsWith('+') ? undefined : text.replaceAll(/\D/g, '')
  const number = read?.isPossible() === true || national === undefined ? read?.number : withCode(national, country)
  const today = number === undefined ? undefined : inOneForm(number)
  return today === undefined || today === number ? read : parseAsWritten(today)
}

function inOneForm(number: string): string {
  const plain = number.replace(ARGENTINE_OF_BOTH, '+54$1').replace(ARGENTINE_WITH_ZERO, '+549')
  return asWrittenToday(plain.replace(MEXICAN_OF_HOME, '+52'))
}

function withCode(national: string, country: CountryCode | undefined): string | undefined {
  return country && `+${getCountryCallingCode(country)}${national}`
}

function parseAsWritten(text: string, country?: CountryCode): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, { extract: false, ...(country && { defaultCountry: country }) })
}

function knownCountry(country: string | undefined): CountryCode | undefined {
  const code = country?.trim().toUpperCase()
  return code && isSupportedCountry(code) ? code : undefined
}
