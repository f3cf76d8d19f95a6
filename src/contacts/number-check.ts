import { Refusal } from '../errors.ts'
import { toE164 } from '../phone.ts'
import { readWritten } from '../written-number.ts'

/** An extension of ours, also with the + that providers put before it, or a short code that texts come from. */
const SHORT = /^(?:\+?\d{1,4}|\d{5,8})$/
/** A national number, which is read once the settings have a country. */
const NATIONAL = /^\(?\d[\d\s().\-/]{5,30}$/
/** What networks write for a number that is withheld. */
const WITHHELD = /^(?:anonymous|restricted|unknown|unavailable|withheld|private|blocked)$/i

/** Refuses a text in which nobody finds a telephone number. `field` is its full name, such as `res.partner.phone`. */
export function requireNumber(written: string, field: string, country: string | undefined): void {
  if (toE164(written, country) !== undefined) return
  const { text } = readWritten(written)
  if (SHORT.test(text) || WITHHELD.test(text)) return
  if (country !== undefined) throw new Refusal('refused', `"${field}" must be a phone number such as +15550100001.`)
  if (NATIONAL.test(text)) return
  const advice = 'once the settings have a country, 079 555 01 74'
  throw new Refusal('refused', `"${field}" must be a phone number such as +15550100001 or, ${advice}.`)
}
