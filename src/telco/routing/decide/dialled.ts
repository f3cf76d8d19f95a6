import { bareAddress } from '../../../phone.ts'
import { plainText } from '../../../written-number.ts'

/** What somebody dialled. */
interface Dialled {
  /** An extension or a number, without what was around it. */
  readonly number: string
  readonly isWhatsApp: boolean
}

const WHATSAPP = /^\s*whatsapp:/i
const DIALLED_CHARS_MAX = 256
/** What people write between digits. */
const SEPARATORS = /[\s().\-/]/g

/**
 * The number in a dialled address (docs/reference/domain.md#calls-of-sip-phones): of `sip:+4930@acme.sip…`,
 * `whatsapp:+4930` and `+49 30`.
 */
export function parseDialled(raw: string): Dialled {
  const text = raw
    .slice(0, DIALLED_CHARS_MAX)
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
  const address = plainText(percentDecoded(bareAddress(text)))
  const number = /^\+?[\d\s().\-/]+$/.test(address) ? address.replaceAll(SEPARATORS, '') : address
  return { number, isWhatsApp: WHATSAPP.test(text) }
}

/** A number that the provider can be asked to call: the `+` is what tells it from an extension. */
export function isExternalNumber(number: string): boolean {
  return /^\+\d{3,15}$/.test(number)
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll(/\p{Cc}/gu, '')
  } catch {
    return text
  }
}
