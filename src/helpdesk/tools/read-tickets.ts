import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { requireIdArgument } from '../../deliveries/tools/tool-arguments.ts'
import type { ToolArguments, ToolUse } from '../../deliveries/tools/tool-table.ts'
import { Refusal } from '../../errors.ts'
import { findReach } from '../../ledger/calls/call-reach.ts'
import { readFlag } from '../../lenient-values.ts'
import type { ReadEnv } from '../../platform/access/env.ts'
import { spokenDate } from '../../time.ts'
import { requireReached } from './reach.ts'

/** Tickets one search answers (docs/reference/contract.md#limits). */
export const TICKETS_MAX = 10
/** What a ticket without a stage shows. */
const STAGE_OF_NONE = 'New'
/** Said when the tickets of somebody else than the caller are asked for. */
const NOT_THE_CALLER = 'I can only look up the tickets of the person who is calling.'
/** What a ticket without an assignee shows. */
const UNASSIGNED = 'Unassigned'

interface TicketSummary {
  ticket_id: number
  ticket_name: string
  stage: string
  create_date: string
  description: string
}

interface TicketDetails extends TicketSummary {
  partner_name: string
  partner_email: string
  partner_phone: string
  team: string
  assigned_user: string
  priority: string
}

const SEARCH = statement<TicketSummary, { partner_id: number; only_open: boolean }>(
  'helpdesk_ticket_search',
  sql`select t.id as ticket_id, t.name as ticket_name, coalesce(s.name, ${sql.raw(`'${STAGE_OF_NONE}'`)}) as stage,
        t.create_date, coalesce(t.description, '') as description
      from helpdesk_ticket t left join helpdesk_stage s on s.id = t.stage_id
      where t.partner_id = ${param('partner_id')} and t.active
        and (not ${param('only_open')}::bool or coalesce(s.fold, false) = false)
      order by t.id desc limit ${sql.raw(String(TICKETS_MAX))}`,
)

const FETCH = statement<
  TicketDetails & { partner_id: number | null; made_in_call: number | null },
  { ticket_id: number }
>(
  'helpdesk_ticket_fetch',
  sql`select t.id as ticket_id, t.name as ticket_name, coalesce(t.description, '') as description,
        coalesce(s.name, ${sql.raw(`'${STAGE_OF_NONE}'`)}) as stage,
        coalesce(t.partner_name, p.name, '') as partner_name, coalesce(t.partner_email, '') as partner_email,
        coalesce(t.partner_phone, '') as partner_phone, coalesce(g.name, '') as team,
        coalesce(u.name, ${sql.raw(`'${UNASSIGNED}'`)}) as assigned_user, t.create_date, coalesce(t.priority, '0') as priority,
        t.partner_id, t.made_in_call
      from helpdesk_ticket t
      left join helpdesk_stage s on s.id = t.stage_id
      left join helpdesk_team g on g.id = t.team_id
      left join res_users u on u.id = t.user_id
      left join res_partner p on p.id = t.partner_id
      where t.id = ${param('ticket_id')}`,
)

/** The contact's tickets, newest first, at most ten; of a call that is named, only of its contact or their company. */
export async function searchTickets(env: ReadEnv, args: ToolArguments, { named, about }: ToolUse): Promise<object> {
  const partnerId = requireIdArgument(args, 'partner_id', 'Partner ID is required to search tickets')
  const reach = await findReach(env, named)
  about.call = reach?.call
  if (reach?.contacts.includes(partnerId) === false) throw new Refusal('not-found', NOT_THE_CALLER)
  const tickets = await env.db.run(SEARCH, { partner_id: partnerId, only_open: readFlag(args.only_open) })
  if (tickets.length === 0) {
    return { message: 'No tickets found for this partner', tickets: [], say: 'I found no tickets.' }
  }
  return { tickets, say: ticketsSentence(tickets) }
}

/** Everything the agent may tell of one ticket. */
export async function fetchTicket(env: ReadEnv, args: ToolArguments, { named, about }: ToolUse): Promise<object> {
  const ticketId = requireIdArgument(args, 'ticket_id', 'Ticket ID is required')
  const [reach, [found]] = await Promise.all([findReach(env, named), env.db.run(FETCH, { ticket_id: ticketId })])
  about.call = reach?.call
  const { partner_id: _contact, made_in_call: _call, ...ticket } = requireReached(reach, ticketId, found)
  return { ...ticket, say: detailsSentence(ticket) }
}

function ticketsSentence(tickets: readonly TicketSummary[]): string {
  const spoken = tickets.map((ticket) => `number ${ticket.ticket_id}, ${ticket.ticket_name}, in ${ticket.stage}`)
  const found = tickets.length === 1 ? 'I found one ticket' : `I found ${tickets.length} tickets, the newest first`
  return `${found}: ${spoken.join('; ')}.`
}

function detailsSentence(ticket: TicketDetails): string {
  const { ticket_id: id, ticket_name: name, stage, assigned_user: assignee, create_date: createDate } = ticket
  const day = spokenDate(Temporal.PlainDate.from(createDate.slice(0, 'YYYY-MM-DD'.length)))
  const who = assignee === UNASSIGNED ? 'Nobody works on it yet' : `${assignee} works on it`
  return `Ticket number ${id}, ${name}, is in ${stage}, opened on ${day}. ${who}.`
}
