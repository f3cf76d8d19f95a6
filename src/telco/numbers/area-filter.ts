import { type CountryCode, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'
import { Refusal } from '../../errors.ts'
import type { NumberKind } from '../client/number-market.ts'

/** A calling code of several countries, whose area codes have three digits. */
const NORTH_AMERICA = '1'
const AREA_CODE = /^[2-9]\d\d$/
/** Countries whose numbers keep their 0 after the code of the country (ITU-T E.164, national numbering plans). */
const KEEPS_ZERO = ['IT', 'SM', 'VA']
/** The provider takes patterns of so many characters, the + included (`Contains` of AvailablePhoneNumbers). */
const PATTERN_CHARS_MAX = 16

interface AreaFilter {
  areaCode?: number
  contains?: string
  locality?: string
}

/** Where somebody wants a number: a town, an area code as it is dialled at home, or the beginning of a number with its country. */
export function readArea(
  area: string | null | undefined,
  { country, kind }: { country: string; kind: NumberKind },
): AreaFilter {
  const text = (area ?? '').trim()
  if (text === '') return {}
  if (/\p{L}/u.test(text)) return { locality: text }
  const digits = text.replaceAll(/\D/g, '')
  if (digits === '') throw new Refusal('refused', 'area-not-readable', { area: text })
  if (text.startsWith('+')) return beginning(digits)
  if (digits.startsWith('00')) return beginning(digits.slice(2))
  const code = isSupportedCountry(country) ? getCountryCallingCode(country as CountryCode) : undefined
  const national = KEEPS_ZERO.includes(country) ? digits : digits.replace(/^0/, '')
  if (code === NORTH_AMERICA && kind === 'local' && AREA_CODE.test(national)) return { areaCode: Number(national) }
  return code === undefined ? { contains: national } : beginning(`${code}${national}`)
}

function beginning(digits: string): AreaFilter {
  return { contains: `+${digits}`.slice(0, PATTERN_CHARS_MAX) }
}
