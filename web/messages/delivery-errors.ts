import type { Keys } from '../words/keys.ts'

/**
 * What the phone provider's codes of failed messages mean (its page for each: twilio.com/docs/api/errors/30003). Another code
 * stands as it came. Notes say the same in English (src/ledger/messages/message-status.ts).
 */
export const DELIVERY_ERRORS: Readonly<Record<string, Keys['messages']>> = {
  21408: 'errorCountry',
  21610: 'errorUnsubscribed',
  21614: 'errorNoTexts',
  30001: 'errorQueue',
  30002: 'errorSuspended',
  30003: 'errorUnreachable',
  30004: 'errorBlocked',
  30005: 'errorUnknownNumber',
  30006: 'errorLandline',
  30007: 'errorFiltered',
  30008: 'errorUnknown',
  30034: 'errorUnregistered',
  63003: 'errorNotOnWhatsApp',
  63005: 'errorContent',
  63007: 'errorNoSender',
  63013: 'errorPolicy',
  63016: 'errorWindow',
  63018: 'errorLimit',
  63019: 'errorFile',
  63021: 'errorContent',
  63024: 'errorRecipient',
  63027: 'errorTemplate',
  63028: 'errorTemplateValues',
  63032: 'errorWhatsAppLimit',
  63049: 'errorMarketing',
}
