import type { ToolArea } from '../../deliveries/tools/tool.ts'
import { createTicketTool } from './create-ticket.ts'
import { fetchTicketTool } from './fetch-ticket.ts'
import { searchTicketsTool } from './search-tickets.ts'
import { ticketActivityTool } from './ticket-activity.ts'
import { updateTicketTool } from './update-ticket.ts'

/** The helpdesk tools, in the order in which they are installed (docs/reference/contract.md#helpdesk-tools). */
export const helpdeskTools: ToolArea = {
  area: 'helpdesk',
  prefix: '/connect_voiceai_helpdesk',
  isElevated: true,
  writes: 'helpdesk.ticket',
  tools: [createTicketTool, searchTicketsTool, fetchTicketTool, updateTicketTool, ticketActivityTool],
}
