import type { Account } from '../account.ts'
import type { Leg } from './leg.ts'
import type { Target } from './targets.ts'

export interface CallerIdRefusal {
  readonly code: number
  readonly message: string
}

const E164 = /^\+\d{2,15}$/
/** What a SIP `From` may be made of (docs/reference/providers.md#dial-limits). */
const SIP_NAME = /^[A-Za-z0-9+\-_.]+$/
const SIP_ADDRESS = /^sips?:[A-Za-z0-9+\-_.]+@[A-Za-z0-9.-]+$/

/** Why the provider would not show this caller id to this target; undefined when it would. */
export function refuseCallerId(
  account: Account,
  { leg, target, callerId }: { leg: Leg; target: Target; callerId: string | undefined },
): CallerIdRefusal | undefined {
  const shown = callerId ?? leg.from
  switch (target.kind) {
    case 'number':
      return isNumberAllowed(account, leg, shown) ? undefined : invalid(13214, shown, target)
    case 'sip': {
      const isGood = SIP_NAME.test(shown) || SIP_ADDRESS.test(shown)
      return isGood ? undefined : invalid(13247, shown, target)
    }
    case 'client':
      return shown === '' || /\s/.test(shown) ? invalid(13214, shown, target) : undefined
    case 'whatsapp':
      return isOnlineSender(account, shown) ? undefined : invalid(13214, shown, target)
  }
}

function invalid(code: number, shown: string, { to }: Target): CallerIdRefusal {
  return { code, message: `the caller id "${shown}" may not be shown to ${to}` }
}

/** The calling or called number, or a number of the account; a SIP or web phone's own name never. */
function isNumberAllowed(account: Account, leg: Leg, shown: string): boolean {
  if (!E164.test(shown)) return false
  if (account.ownsCallerId(shown)) return true
  const isOfNetwork = E164.test(leg.from)
  return isOfNetwork && (shown === leg.from || shown === leg.to)
}

function isOnlineSender(account: Account, shown: string): boolean {
  return account.senders.findWhere('sender_id', shown)?.status === 'ONLINE'
}
