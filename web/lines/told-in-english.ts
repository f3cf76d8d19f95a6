/** What the service stores in English within the moments of a call, taken apart for the language of the page; pure. */

/** `SIP 486 Busy Here, answered by sip.example.com`. */
const SIP = /^SIP (\d{3})(?: .*?)?(?:, answered by (\S+))?$/
const SIP_KEYS = {
  '400': 'sip_400',
  '403': 'sip_403',
  '404': 'sip_404',
  '408': 'sip_408',
  '480': 'sip_480',
  '486': 'sip_486',
  '487': 'sip_487',
  '488': 'sip_488',
  '500': 'sip_500',
  '503': 'sip_503',
  '603': 'sip_603',
} as const

/** The same for people: of a number, and of a phone or an agent that is called by its address. */
const SAID_KEYS = {
  '400': 'sip_said_400',
  '403': 'sip_said_403',
  '404': 'sip_said_404',
  '408': 'sip_said_408',
  '480': 'sip_said_480',
  '486': 'sip_said_486',
  '487': 'sip_said_487',
  '488': 'sip_said_488',
  '500': 'sip_said_500',
  '503': 'sip_said_503',
  '603': 'sip_said_603',
} as const
const NO_SUCH_NUMBER = 'sip_said_404_number'
const NO_PHONE = 'sip_said_404_phone'
/** What ends so: a web phone, and a SIP phone that calls by an address of Twilio. */
const OF_WEB_PHONE = /: no web phone is signed in$/
const OF_SIP_PHONE = /\.sip\.(?:[\w-]+\.)*twilio\.com$/

interface Ended {
  key: (typeof SIP_KEYS)[keyof typeof SIP_KEYS]
  said: (typeof SAID_KEYS)[keyof typeof SAID_KEYS] | typeof NO_SUCH_NUMBER | typeof NO_PHONE
  code: string
  host: string
}

/** How a leg ended in SIP, and who answered so; undefined for a code that there are no words for. */
export function endedInSip(text: string): Ended | undefined {
  const [, code = '', host = ''] = SIP.exec(text) ?? []
  if (!isKnown(code)) return undefined
  return { key: SIP_KEYS[code], said: code === '404' ? saidOfNone(text, host) : SAID_KEYS[code], code, host }
}

function saidOfNone(text: string, host: string): Ended['said'] {
  if (OF_WEB_PHONE.test(text) || OF_SIP_PHONE.test(host)) return NO_PHONE
  return host === '' ? NO_SUCH_NUMBER : SAID_KEYS['404']
}

function isKnown(code: string): code is keyof typeof SIP_KEYS {
  return Object.hasOwn(SIP_KEYS, code)
}
