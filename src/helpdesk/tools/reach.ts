import type { ToolUse } from '../../deliveries/tools/tool.ts'
import { recordId } from '../../deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../errors.ts'
import { type CallReach, findReach, reachesRecord } from '../../ledger/calls/call-reach.ts'
import type { Env } from '../../platform/access/env.ts'
import type { TicketOwners } from '../tickets/read-tickets.ts'
import { lockTickets } from '../tickets/update-ticket.ts'

/** The number of a ticket, as the agent has it from the caller or from a search. */
export const ticketId = recordId({
  required: 'agent-ticket-id-required',
  from: { agent: 'Number of the ticket, as the search or the caller gave it.' },
})

/**
 * The ticket, when there is one and the call that is named reaches it. Otherwise a refusal, which does not say whether
 * somebody else has a ticket with that number.
 */
export function requireReached<Ticket extends TicketOwners>(
  reach: CallReach | undefined,
  id: number,
  ticket: Ticket | undefined,
): Ticket {
  if (reach === undefined) {
    if (ticket === undefined) throw new Refusal('not-found', 'agent-ticket-not-found')
    return ticket
  }
  if (ticket !== undefined) {
    const { partner_id: contact, made_in_call: madeInCall } = ticket
    if (id === reach.ticket || reachesRecord(reach, { contacts: [contact], madeInCall })) return ticket
  }
  throw new Refusal('not-found', 'agent-ticket-not-of-caller', { id })
}

/**
 * The ticket, locked, when the call that is named reaches it. What the call reaches is asked with the ticket locked: asked
 * before, it could be what the call reached once, and the ticket one that is given to somebody only now.
 */
export async function lockReachedTicket(env: Env, id: number, { named, setSubject }: ToolUse) {
  const tickets = await lockTickets(env.db, [id])
  const reach = await findReach(env, named)
  setSubject({ call: reach?.call })
  return requireReached(reach, id, tickets.get(id))
}
