import { Refusal } from '../../errors.ts'
import { RING_SECONDS_MIN } from '../markup/dial.ts'
import type { OwnPhone } from '../phone-users/own-phone.ts'

/** The telephone that rings first when its owner clicks to call. */
interface RingTarget {
  to: string
  timeoutSeconds: number
}

/**
 * The first phone in the order its owner has chosen; a web phone picks up by itself and shows who is being called. Throws a
 * refusal where there is none.
 */
export function ringTarget(
  { ringing }: Pick<OwnPhone, 'ringing'>,
  shown: { from: string; name: string | undefined; partnerId: number | undefined },
): RingTarget {
  const { address, steps, timeoutSeconds } = ringing
  const first = steps.find(({ type }) => type === 'client' || type === 'sip')
  if (first === undefined || address === undefined) throw new Refusal('refused', 'you-have-no-telephone-could-ring')
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
