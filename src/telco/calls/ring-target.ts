import { Refusal } from '../../errors.ts'
import { RING_SECONDS_MIN } from '../markup/dial.ts'
import type { OwnPhone } from '../phone-users/own-phone.ts'

/** The telephone that rings first when its owner clicks to call. */
interface RingTarget {
  to: string
  timeoutSeconds: number
}

interface Shown {
  from: string
  name: string | undefined
  partnerId: number | undefined
}

/**
 * The first phone that can ring, in the order its owner has chosen; a web phone picks up by itself and shows who is being
 * called. Without an API key no web phone signs in, so none rings.
 */
export function ringTarget(
  { ringing }: Pick<OwnPhone, 'ringing'>,
  { hasWebPhones, ...shown }: Shown & { hasWebPhones: boolean },
): RingTarget {
  const { address, steps, timeoutSeconds } = ringing
  const phones = steps.filter(({ type }) => type === 'client' || type === 'sip')
  if (phones.length === 0 || address === undefined) throw new Refusal('refused', 'you-have-no-telephone-could-ring')
  const first = phones.find(({ type }) => type === 'sip' || hasWebPhones)
  if (first === undefined) throw new Refusal('refused', 'web-phone-without-api-key')
  if (first.type === 'sip') {
    return { to: `sip:${address}`, timeoutSeconds: Math.max(RING_SECONDS_MIN, timeoutSeconds.sip) }
  }
  const query = new URLSearchParams({
    autoAnswer: 'yes',
    Partner: shown.partnerId === undefined ? '' : String(shown.partnerId),
    CallerName: shown.name ?? '',
    From: shown.from,
  })
  return { to: `client:${address}?${query}`, timeoutSeconds: Math.max(RING_SECONDS_MIN, timeoutSeconds.client) }
}
