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
/** A calling code of three digits and the longest emergency number, which has five. */
const WITH_CALLING_CODE = /^\+[1-9]\d{2,7}$/

/** Said where an emergency number is to be called in another way than by dialling it. The spoken one is in sentences.json. */
export const NO_EMERGENCY_CALLS = 'Emergency numbers cannot be called from this phone. Use a mobile phone or landline.'

/**
 * Whether somebody who dials this wants help at once: an emergency number of the installation's country or one that is known
 * beyond its country, also with a `+` or a calling code before it, which telephones add. `country` is an ISO code.
 */
export function isEmergencyNumber(dialled: string, country: string | undefined): boolean {
  const number = dialled.replaceAll(/[\s().\-/]/g, '')
  if (isOne(number.replace(/^\+/, ''), country)) return true
  return WITH_CALLING_CODE.test(number) && Object.keys(OF_COUNTRY).some((each) => isBehindCode(number, each))
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
  return OF_COUNTRY[country?.toUpperCase() ?? ''] ?? []
}

/** Whether no extension may have a number, because people dial it for help. */
export function isKeptForEmergencies(number: string, country: string | undefined): boolean {
  return KNOWN_TO_ALL.has(number) || ofCountry(country).includes(number)
}

/** Throws a refusal for an emergency number. */
export function requireNoEmergency(number: string, country: string | undefined): void {
  if (isEmergencyNumber(number, country)) throw new Refusal('refused', NO_EMERGENCY_CALLS)
}
