import { messageWriterOf } from '../../ledger/messages/message-words.ts'
import { isWithheld } from '../../withheld.ts'

const SHORT_CODE = /^\d{3,8}$/
/** Somebody on WhatsApp who shows no number (docs/reference/providers.md#whatsapp-users). */
const WHATSAPP_USER = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z\d]{1,128}$/

const INTERNATIONAL = /^\+[\d\s().\-/]+$/
const BETWEEN_DIGITS = /[\s().\-/]/g

/** An international number without what people write between its digits, also where nobody knows such a number; other addresses as they are. */
export function withoutSeparators(address: string): string {
  return INTERNATIONAL.test(address) ? address.replaceAll(BETWEEN_DIGITS, '') : address
}

/** Whether a message can be sent to an address: not to the name of a sender, as banks and shops have, nor to a withheld number. */
export function isAnswerable(address: string, isWhatsApp: boolean): boolean {
  const bare = messageWriterOf(address)
  if (isWithheld(bare)) return false
  return /^\+\d{4,15}$/.test(bare) || SHORT_CODE.test(bare) || (isWhatsApp && WHATSAPP_USER.test(bare))
}
