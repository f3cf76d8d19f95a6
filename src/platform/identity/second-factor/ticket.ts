import type { Platform } from '../../access/env.ts'

/** How long somebody may look for their authenticator. */
const TICKET_MS = 10 * 60_000
const PLACE = 'sign-in ticket'

/** Proves to whichever process reads it that the password of a user was right, a moment ago. */
export function sealTicket({ cipher, clock }: Platform, userId: number): string {
  return cipher.encrypt(JSON.stringify({ userId, until: clock().getTime() + TICKET_MS }), PLACE)
}

/** The user of a ticket; undefined when it is over, or none of ours. */
export function openTicket({ cipher, clock }: Platform, ticket: string): number | undefined {
  try {
    const { userId, until } = JSON.parse(cipher.decrypt(ticket, PLACE)) as { userId: number; until: number }
    return until > clock().getTime() ? userId : undefined
  } catch {
    // Whatever somebody made up says nothing.
    return undefined
  }
}
