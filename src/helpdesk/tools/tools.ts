import { described, type Tool, toolTable } from '../../deliveries/tools/tool-table.ts'
import type { WebhookTable } from '../../deliveries/webhooks/webhook-table.ts'
import { createTicket } from './create-ticket.ts'
import { fetchTicket, searchTickets } from './read-tickets.ts'
import { HELPDESK_SHAPES } from './shapes.ts'
import { addTicketNote, updateTicket } from './update-ticket.ts'

/** The five helpdesk tools (docs/reference/contract.md#helpdesk-tools): run elevated, each behind the agent token. */
const HELPDESK_TOOLS: readonly Tool[] = described(HELPDESK_SHAPES, [
  { path: '/create_ticket', access: 'write', run: createTicket },
  { path: '/search_tickets', access: 'read', run: searchTickets },
  { path: '/fetch_ticket', access: 'read', run: fetchTicket },
  { path: '/update_ticket', access: 'write', run: updateTicket },
  { path: '/ticket_activity', access: 'write', run: addTicketNote },
])

export function helpdeskTools(deadlineOf: (path: string) => number): WebhookTable {
  return toolTable({
    area: 'helpdesk',
    prefix: '/connect_voiceai_helpdesk',
    tools: HELPDESK_TOOLS,
    isElevated: true,
    deadlineOf,
  })
}
