import { Refusal } from '../errors.ts'
import { toContactKey } from '../phone.ts'
import { isWithheld } from '../withheld.ts'
import { readWritten } from '../written-number.ts'

/** An extension of ours, also with the + that providers put before it, or a short code that texts come from; not zeros alone. */
const SHORT = /^(?:\+?(?!0+$)\d{1,4}|(?!0+$)\d{5,8})$/
const GROUPS = /(?<=\d) (?=\d)/g
/** A national number, which is read once the settings have a country; none has more digits (ITU-T E.164, 6.2.1). */
const NATIONAL = /^\(?\d[\d\s().\-/]{5,30}$/
const NATIONAL_DIGITS_MAX = 15
/** What networks write for a number that is withheld. */
const WITHHELD = /^(?:anonymous|restricted|unknown|unavailable|withheld|private|blocked)$/i

/** Whether a text is a telephone number, an extension or a short code. */
export function isReadableNumber(written: string, country: string | undefined): boolean {
  if (toContactKey(written, country) !== undefined) return true
  const { text } = readWritten(written)
  return SHORT.test(text.replaceAll(GROUPS, '')) || (country === undefined && isNational(text))
}

function isNational(text: string): boolean {
  return NATIONAL.test(text) && !isWithheld(text) && text.replaceAll(/\D/g, '').length <= NATIONAL_DIGITS_MAX
}

/** Refuses a text in which nobody finds a telephone number. `field` is its full name, such as `res.partner.phone`. */
export function requireNumber(written: string, field: string, country: string | undefined): void {
  if (isReadableNumber(written, country) || WITHHELD.test(readWritten(written).text)) return
  if (country !== undefined) throw new Refusal('refused', 'must-phone-number', { path: field })
  throw new Refusal('refused', 'must-phone-number-no-country', { path: field })
}
