import { Refusal } from '../../errors.ts'
import { type CallReach, reachesRecord } from '../../ledger/calls/call-reach.ts'

/** What of a ticket decides who may touch it. */
interface Owned {
  partner_id: number | null
  made_in_call: number | null
}

/**
 * The ticket, when there is one and the call that is named reaches it. Otherwise a refusal, which does not say whether
 * somebody else has a ticket with that number.
 */
export function requireReached<Ticket extends Owned>(
  reach: CallReach | undefined,
  id: number,
  ticket: Ticket | undefined,
): Ticket {
  if (reach === undefined) {
    if (ticket === undefined) throw new Refusal('not-found', 'Ticket not found')
    return ticket
  }
  if (ticket !== undefined) {
    const { partner_id: contact, made_in_call: madeInCall } = ticket
    if (id === reach.ticket || reachesRecord(reach, { contacts: [contact], madeInCall })) return ticket
  }
  throw new Refusal('not-found', `Ticket not found: the caller has no ticket with the number ${id}.`)
}
