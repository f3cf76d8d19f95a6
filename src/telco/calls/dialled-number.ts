import { requireNoCallForHelp, requireNoEmergency } from '../../emergency-numbers.ts'
import { Refusal } from '../../errors.ts'
import { bareAddress, toE164 } from '../../phone.ts'
import { isWithheld } from '../../withheld.ts'
import { readWritten } from '../../written-number.ts'
import { isExternalNumber } from '../routing/decide/dialled.ts'

/** What somebody wants to be connected with. */
export type Target = { kind: 'extension'; number: string } | { kind: 'number'; number: string }

/** Longer numbers are telephone numbers (docs/reference/domain.md#calls-of-sip-phones). */
const EXTENSION_DIGITS_MAX = 4
const SEPARATORS = /[\s().\-/]/g

/** Reads a number as people write it. Throws a refusal for what is no number. */
export function readDialled(written: string, country: string | undefined): Target {
  const number = bareAddress(readWritten(written).text).replaceAll(SEPARATORS, '')
  if (!/^\+?\d{1,20}$/.test(number)) throw notANumber()
  const digits = number.replace('+', '')
  if (digits.length <= EXTENSION_DIGITS_MAX) return { kind: 'extension', number: digits }
  if (isWithheld(number)) throw new Refusal('refused', 'number-withheld-call')
  const readable = toE164(written, country)
  const external = readable ?? `+${digits}`
  if (!isExternalNumber(external)) throw notANumber()
  if (readable === undefined) requireNoCallForHelp(number, country)
  requireNoEmergency(number, country)
  requireNoEmergency(external, country)
  return { kind: 'number', number: external }
}

function notANumber(): Refusal {
  return new Refusal('refused', 'number-must-extension-phone-number')
}
