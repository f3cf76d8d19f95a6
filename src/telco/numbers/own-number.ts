import { bareAddress, ownToE164 } from '../../phone.ts'
import { readWritten } from '../../written-number.ts'

const SEPARATORS = /[\s().\-/]/g

/**
 * A number of ours in the form in which the provider names it when somebody calls; what is no number stays, for the pattern of the field to
 * refuse. A + stays with its digits even where the library knows no such number: the provider's list is the better one.
 */
export function ownNumber(written: string, country: string | undefined): string {
  const text = bareAddress(readWritten(written).text).replaceAll(SEPARATORS, '')
  if (/^\+\d{3,15}$/.test(text)) return text
  return ownToE164(written, country) ?? text
}
