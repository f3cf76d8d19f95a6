import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { findReach } from '../../ledger/calls/call-reach.ts'
import { nameForAgents } from '../../names.ts'
import { spokenDate } from '../../time.ts'
import { fetchTicket, TicketDetails, UNASSIGNED } from '../tickets/read-tickets.ts'
import { requireReached, ticketId } from './reach.ts'

/** Everything the agent may say of one ticket. */
export const fetchTicketTool = tool({
  path: '/fetch_ticket',
  name: 'helpdesk_fetch_ticket',
  summary: 'One ticket',
  description: 'Gives all details of one ticket.',
  timeoutSeconds: 20,
  input: { ticket_id: ticketId },
  reply: toolReply(TicketDetails.properties),
  refuses: [400, 404],
  access: 'read',
  async run(env, { ticket_id: id }, { named, setSubject }) {
    const [reach, found] = await Promise.all([findReach(env, named), fetchTicket(env.db, id)])
    setSubject({ call: reach?.call })
    const { partner_id: _contact, made_in_call: _call, ...ticket } = requireReached(reach, id, found)
    return { ...ticket, say: detailsSentence(ticket) }
  },
})

function detailsSentence(ticket: TicketDetails): string {
  const { ticket_id: id, ticket_name: name, stage, assigned_user: assignee, create_date: createDate } = ticket
  const day = spokenDate(Temporal.PlainDate.from(createDate.slice(0, 'YYYY-MM-DD'.length)))
  const who = assignee === UNASSIGNED ? 'Nobody works on it yet' : `${assignee} works on it`
  return `Ticket number ${id}, ${nameForAgents(name)}, is in ${stage}, opened on ${day}. ${who}.`
}
