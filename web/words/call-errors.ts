/** What the phone provider's codes of failed calls mean, from its error dictionary (twilio.com/docs/api/errors/13224 and so on); pure but for the language. */
import { labelOf } from './labels.ts'

const UNREACHED = "Twilio couldn't reach Connect"
const CERTIFICATE = "the certificate of Connect's address isn't valid"
const UNREADABLE = "Twilio couldn't read Connect's answer"
const NO_NUMBER = "this isn't a number that can be called"
const COUNTRY = "the account at Twilio can't call this country"

const CALL_ERRORS: Readonly<Record<string, string>> = {
  10001: "the account at Twilio isn't active",
  10003: "the account at Twilio isn't active",
  10004: 'the account at Twilio has too many calls at once',
  10005: 'calls are switched off for the account at Twilio',
  11200: UNREACHED,
  11205: UNREACHED,
  11210: UNREACHED,
  11220: UNREACHED,
  11235: CERTIFICATE,
  11236: CERTIFICATE,
  11237: CERTIFICATE,
  12100: UNREADABLE,
  12300: UNREADABLE,
  13214: "the caller ID can't be used",
  13224: NO_NUMBER,
  13226: NO_NUMBER,
  13227: COUNTRY,
  13244: "the account at Twilio can't call SIP phones",
  21211: NO_NUMBER,
  21215: COUNTRY,
  21217: NO_NUMBER,
  32009: "the SIP phone isn't signed in",
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
