import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'
import byCountry from './emergency-numbers.json' with { type: 'json' }
import { Refusal } from './errors.ts'

/**
 * Numbers that a telephone takes for emergency numbers in every country: 112 and 911, and without a SIM card 000, 08, 110, 118,
 * 119 and 999 (3GPP TS 22.101, 10.1.1). 113, 117 and 144 call the police and the ambulance in several countries of Europe.
 */
const EVERYWHERE = new Set(['112', '911', '000', '08', '110', '113', '117', '118', '119', '144', '999'])
/** Those that are the same to everybody: no extension can have one. */
const KNOWN_TO_ALL = new Set(['112', '911'])

/** A country's own, from the metadata of short numbers in the npm package google-libphonenumber 3.2.47 (Gabon without its block 13xx). */
const OF_COUNTRY: Readonly<Record<string, readonly string[] | undefined>> = byCountry
/** Missing there: police, fire brigade and ambulance that Spain, Saudi Arabia, Turkey and Greece have beside 112. */
const BESIDE: Readonly<Record<string, readonly string[] | undefined>> = {
  ES: ['061', '062', '080', '091', '092'],
  GR: ['108'],
  SA: ['998'],
  TR: ['156', '158'],
}
/** Numbers that help in need without being emergency numbers, and that no extension has: the same in all of the European Union (116…), and a country's own. */
const HELP = new Set(['116000', '116111', '116117', '116123'])
const HELP_OF_COUNTRY: Readonly<Record<string, readonly string[] | undefined>> = {
  AT: ['128', '140', '141', '142'],
  BR: ['191', '199'],
  CA: ['988'],
  CH: ['140', '143', '145', '147', '1414'],
  CN: ['122'],
  DE: ['19222'],
  FR: ['114', '115', '119', '191', '196'],
  GB: ['101', '111'],
  IT: ['1515', '1522', '1530'],
  LK: ['1990'],
  PE: ['106'],
  SE: ['11313', '11414'],
  US: ['933', '988'],
}
/** A telephone's word for help in the place of a number (RFC 5031). */
const SERVICE = /^(?:urn:service:)?sos(?:\.[a-z.]+)?$/i
/** How somebody gets a line to the outside on many telephone systems, out of habit. */
const OUTSIDE_LINE = /^(?:0|9)(?=\d{2,4}$)/
/** Dialled before a calling code in the place of the +: from most countries, and from North America. */
const ABROAD = /^(?:00|011)(?=[1-9])/
/** A calling code of three digits and the longest emergency number, which has five. */
const WITH_CALLING_CODE = /^\+[1-9]\d{2,7}$/

/**
 * Whether somebody who dials this wants help at once: an emergency number of the installation's country or one that is known
 * beyond its country, also with a `+` or a calling code before it, which telephones add. `country` is an ISO code.
 */
export function isEmergencyNumber(dialled: string, country: string | undefined): boolean {
  if (SERVICE.test(dialled.trim())) return true
  const number = dialled
    .replaceAll(/[\s().\-/]/g, '')
    .replace(/#$/, '')
    .replace(ABROAD, '+')
  if (isOne(number.replace(/^\+/, ''), country)) return true
  return WITH_CALLING_CODE.test(number) && Object.keys(OF_COUNTRY).some((each) => isBehindCode(number, each))
}

/**
 * The same for what is nobody's number: an emergency number behind the digit for an outside line, or behind the country's calling
 * code without its +, and the other numbers that help in need. Extensions may have all of those, so they are looked for first.
 */
export function isCallForHelp(dialled: string, country: string | undefined): boolean {
  if (isEmergencyNumber(dialled, country)) return true
  const digits = dialled.replaceAll(/[\s().\-/#]/g, '')
  const local = HELP_OF_COUNTRY[country?.toUpperCase() ?? ''] ?? []
  if (HELP.has(digits) || local.includes(digits)) return true
  if (isKeptForEmergencies(digits.replace(OUTSIDE_LINE, ''), country)) return true
  return country !== undefined && isBehindCode(`+${digits}`, country.toUpperCase())
}

function isOne(digits: string, country: string | undefined): boolean {
  return EVERYWHERE.has(digits) || ofCountry(country).includes(digits)
}

function isBehindCode(number: string, country: string): boolean {
  if (!isSupportedCountry(country)) return false
  const code = `+${getCountryCallingCode(country)}`
  return number.startsWith(code) && isOne(number.slice(code.length), country)
}

function ofCountry(country: string | undefined): readonly string[] {
  const code = country?.toUpperCase() ?? ''
  return [...(OF_COUNTRY[code] ?? []), ...(BESIDE[code] ?? [])]
}

/** Whether no extension may have a number, because people dial it for help. */
export function isKeptForEmergencies(number: string, country: string | undefined): boolean {
  return KNOWN_TO_ALL.has(number) || ofCountry(country).includes(number)
}

/** Throws a refusal for what is nobody's number where somebody wants help at once. */
export function requireNoCallForHelp(number: string, country: string | undefined): void {
  if (isCallForHelp(number, country)) throw new Refusal('refused', 'emergency-number')
}

/** Throws a refusal for an emergency number. */
export function requireNoEmergency(number: string, country: string | undefined): void {
  if (isEmergencyNumber(number, country)) throw new Refusal('refused', 'emergency-number')
}
