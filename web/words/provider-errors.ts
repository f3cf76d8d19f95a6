import { callError } from './call-errors.ts'
import type { Keys } from './keys.ts'
import { useWords } from './words.ts'

/**
 * What the phone provider's codes of failed messages mean (its page for each: twilio.com/docs/api/errors/30003). Another code
 * stands as it came. Notes say the same in English (src/ledger/messages/message-status.ts).
 */
const DELIVERY_ERRORS: Readonly<Record<string, Keys['messages']>> = {
  21211: 'errorNoNumber',
  21408: 'errorCountry',
  21606: 'errorWrongSender',
  21610: 'errorUnsubscribed',
  21611: 'errorQueue',
  21612: 'errorWrongSender',
  21614: 'errorNoTexts',
  21617: 'errorTooLong',
  30001: 'errorQueue',
  30002: 'errorSuspended',
  30003: 'errorUnreachable',
  30004: 'errorBlocked',
  30005: 'errorUnknownNumber',
  30006: 'errorLandline',
  30007: 'errorFiltered',
  30008: 'errorUnknown',
  30010: 'errorPrice',
  30011: 'errorNoPictures',
  30017: 'errorCongested',
  30018: 'errorSenderUnregistered',
  30019: 'errorTooLarge',
  30022: 'errorTooFast',
  30023: 'errorDailyLimit',
  30024: 'errorSenderUnregistered',
  30027: 'errorDailyLimit',
  30032: 'errorUnverified',
  30034: 'errorUnregistered',
  30036: 'errorTooLate',
  30037: 'errorSendingOff',
  30040: 'errorSenderUnregistered',
  30041: 'errorSenderUnregistered',
  30450: 'errorProviderBlocked',
  63001: 'errorSenderSetUp',
  63003: 'errorNotOnWhatsApp',
  63005: 'errorContent',
  63006: 'errorContent',
  63007: 'errorNoSender',
  63008: 'errorSenderSetUp',
  63009: 'errorOfWhatsApp',
  63013: 'errorPolicy',
  63015: 'errorSandbox',
  63016: 'errorWindow',
  63018: 'errorLimit',
  63019: 'errorFile',
  63020: 'errorSenderSetUp',
  63021: 'errorContent',
  63022: 'errorSenderSetUp',
  63023: 'errorOfWhatsApp',
  63024: 'errorRecipient',
  63027: 'errorTemplate',
  63028: 'errorTemplateValues',
  63029: 'errorTemplateUnloaded',
  63031: 'errorSameNumber',
  63032: 'errorWhatsAppLimit',
  63033: 'errorNotFromUs',
  63038: 'errorAccountLimit',
  63040: 'errorTemplateRejected',
  63041: 'errorTemplatePaused',
  63042: 'errorTemplateOff',
  63049: 'errorMarketing',
}

/** What a code of a failed message or call means, in the reader's language; undefined for one that is not known. */
export function useProviderErrors(): (code: string | null) => string | undefined {
  const say = useWords('messages')
  return (code) => {
    const key = DELIVERY_ERRORS[code ?? '']
    return key === undefined ? callError(code ?? '') : say(key)
  }
}

/** Whether a code has words, beside which the provider's own sentence says nothing more. */
export function isWordedError(code: unknown): boolean {
  return typeof code === 'string' && (code in DELIVERY_ERRORS || callError(code) !== undefined)
}
