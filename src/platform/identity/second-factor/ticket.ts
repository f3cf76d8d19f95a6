import type { Platform } from '../../access/env.ts'
import type { SignedIn } from '../passwords/sign-in.ts'

/** How long somebody may look for their authenticator. */
const TICKET_MS = 10 * 60_000
const PLACE = 'sign-in ticket'

/** Proves to whichever process reads it that the password of a user was right, a moment ago. */
export function sealTicket({ cipher, clock }: Platform, { userId, age }: SignedIn): string {
  return cipher.encrypt(JSON.stringify({ userId, age, until: clock().getTime() + TICKET_MS }), PLACE)
}

/** Whose ticket it is; undefined when it is over, or none of ours. */
export function openTicket({ cipher, clock }: Platform, ticket: string): SignedIn | undefined {
  try {
    const { userId, age, until } = JSON.parse(cipher.decrypt(ticket, PLACE)) as SignedIn & { until: number }
    return until > clock().getTime() ? { userId, age } : undefined
  } catch {
    // Whatever somebody made up says nothing.
    return undefined
  }
}
