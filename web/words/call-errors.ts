/**
 * What the phone provider's codes of failed calls mean, no further than its own page of each says (twilio.com/docs/api/errors/13224
 * and so on, read in November 2026). For 13227, 21215 and 32205: its article on voice geographic permissions
 * (support.twilio.com/hc/en-us/articles/223180228). Pure but for the language.
 */
import { labelOf } from './labels.ts'

/** It asks addresses of ours, and what a TwiML application, a greeting or an agent names. */
const NO_ANSWER = 'Twilio got no usable answer from Connect, or another address in the call'
const UNREACHED = "Twilio couldn't reach Connect, or another address in the call"
const CERTIFICATE = "the certificate of Connect, or another address in the call, isn't valid"
const NO_NUMBER = "this isn't a number that can be called"
const COUNTRY = "the account at Twilio isn't allowed to call this country, or such numbers there"
const NO_SIP = "the account at Twilio can't call SIP phones"

const CALL_ERRORS: Readonly<Record<string, string>> = {
  10001: "the account at Twilio isn't active",
  10003: "the account at Twilio isn't active",
  10004: 'the account at Twilio has too many calls at once',
  10005: 'calls are switched off for the account at Twilio',
  11200: NO_ANSWER,
  11202: UNREACHED,
  11205: UNREACHED,
  11210: UNREACHED,
  11217: NO_ANSWER,
  11220: UNREACHED,
  11235: CERTIFICATE,
  11236: CERTIFICATE,
  11237: CERTIFICATE,
  12100: "Twilio couldn't read the TwiML",
  12300: "Twilio got content of a kind that it can't use",
  13214: "the caller ID can't be used",
  13224: "Twilio can't reach this number, or it isn't valid",
  13226: "the number's country code doesn't exist",
  13227: COUNTRY,
  13244: NO_SIP,
  13246: NO_SIP,
  21211: NO_NUMBER,
  21215: COUNTRY,
  21217: NO_NUMBER,
  32009: "the SIP phone isn't signed in",
  32205: COUNTRY,
  32214: 'the SIP phone is of another account at Twilio',
  32224: 'Twilio may not forward calls to this number',
}

/** What a code means; undefined where it is not among these. */
export function callError(code: string): string | undefined {
  const words = CALL_ERRORS[code]
  return words === undefined ? undefined : labelOf(words)
}

/** An error of a call as the service tells it, "13224 …" or "error 13224 …", in words where the code is known. */
export function callErrorWords(text: string): string {
  const [, begins = '', code = ''] = /^(error )?(\d{5})\b/.exec(text) ?? []
  const words = callError(code)
  if (words === undefined) return text
  return `${begins === '' ? '' : `${labelOf('error')} `}${code}, ${words}`
}
