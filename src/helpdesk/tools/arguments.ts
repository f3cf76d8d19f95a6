import { recordId } from '../../deliveries/tools/tool-arguments.ts'

/** The number of a ticket, as the agent has it from the caller or from a search. */
export const ticketId = recordId({
  required: 'Ticket ID is required',
  from: { agent: 'Number of the ticket, as the search or the caller gave it.' },
})
