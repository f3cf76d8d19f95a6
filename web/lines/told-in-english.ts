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

interface Ended {
  key: (typeof SIP_KEYS)[keyof typeof SIP_KEYS]
  code: string
  host: string
}

/** How a leg ended in SIP, and who answered so; undefined for a code that there are no words for. */
export function endedInSip(text: string): Ended | undefined {
  const [, code = '', host = ''] = SIP.exec(text) ?? []
  return isKnown(code) ? { key: SIP_KEYS[code], code, host } : undefined
}

function isKnown(code: string): code is keyof typeof SIP_KEYS {
  return Object.hasOwn(SIP_KEYS, code)
}

/** What is noted on a call that those it rang for did not take. */
const MISSED = /^Missed call from (.+)\. For: (.+)\.$/
const WITHHELD = 'a withheld number'

/** Who called, undefined where the number was withheld, and whom it rang for. */
export function missedIn(text: string): { from: string | undefined; people: string } | undefined {
  const [, from, people = ''] = MISSED.exec(text) ?? []
  return from === undefined ? undefined : { from: from === WITHHELD ? undefined : from, people }
}
