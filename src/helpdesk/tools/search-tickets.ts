import { Type } from 'typebox'
import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { flag, recordId } from '../../deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../errors.ts'
import { findReach, requireCaller } from '../../ledger/calls/call-reach.ts'
import { nameForAgents } from '../../names.ts'
import { searchTickets, TicketSummary } from '../tickets/read-tickets.ts'

/** Said where no contact is named: by a request outside of a call, and to a caller who is not known. */
const NO_CONTACT = {
  unnamed: 'agent-tickets-contact-required',
  unknown: 'agent-tickets-of-whom',
} as const

/**
 * The contact's tickets, newest first, at most ten; of a call that is named, only of its contact or their company. In
 * a call that the platform names, a contact that is left out is the caller.
 */
export const searchTicketsTool = tool({
  path: '/search_tickets',
  name: 'helpdesk_search_tickets',
  summary: 'Tickets of a contact',
  description: "Lists the caller's tickets, newest first. Use it before you create one and when asked for a status.",
  timeoutSeconds: 20,
  input: {
    partner_id: recordId({ isAlwaysFilled: true, from: 'variable' }),
    only_open: flag({ from: { agent: 'True to leave out tickets that are closed.' } }),
  },
  reply: toolReply({
    tickets: Type.Array(TicketSummary),
    message: Type.Optional(Type.String()),
  }),
  refuses: [400, 404],
  access: 'read',
  async run(env, { partner_id: asked, only_open: onlyOpen }, { named, setSubject }) {
    const reach = await findReach(env, named)
    setSubject({ call: reach?.call })
    const partnerId = asked ?? (await requireCaller(env, named, NO_CONTACT))
    if (reach?.contacts.includes(partnerId) === false) throw new Refusal('not-found', 'agent-tickets-of-caller-only')
    const tickets = await searchTickets(env.db, { partnerId, onlyOpen })
    if (tickets.length === 0) {
      return { message: 'No tickets found for this partner', tickets: [], say: 'I found no tickets.' }
    }
    return { tickets, say: ticketsSentence(tickets) }
  },
})

function ticketsSentence(tickets: readonly TicketSummary[]): string {
  const spoken = tickets.map(
    (ticket) => `number ${ticket.ticket_id}, ${nameForAgents(ticket.ticket_name)}, in ${ticket.stage}`,
  )
  const found = tickets.length === 1 ? 'I found one ticket' : `I found ${tickets.length} tickets, the newest first`
  return `${found}: ${spoken.join('; ')}.`
}
