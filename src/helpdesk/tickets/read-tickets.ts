import { type Static, Type } from 'typebox'
import { contactColumn } from '../../contacts/contact-sql.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { gathered } from '../../database/gathered.ts'
import { limitOfRows } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { cleanName, nameForAgents } from '../../names.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { ticketModel } from './ticket.ts'

/** Tickets one search answers (docs/reference/contract.md#limits). */
const TICKETS_MAX = 10
/** What a ticket without a stage shows. */
const STAGE_OF_NONE = 'New'
/** What a ticket without an assignee shows. */
export const UNASSIGNED = 'Unassigned'

export const TicketSummary = Type.Object({
  ticket_id: Type.Integer(),
  ticket_name: Type.String(),
  // The contract's own names for the same two.
  id: Type.Integer(),
  name: Type.String(),
  stage: Type.String(),
  create_date: Type.String(),
  description: Type.String(),
})
export type TicketSummary = Static<typeof TicketSummary>

export const TicketDetails = Type.Object({
  ticket_id: Type.Integer(),
  ticket_name: Type.String(),
  stage: Type.String(),
  create_date: Type.String(),
  description: Type.String(),
  partner_name: Type.String(),
  partner_email: Type.String(),
  partner_phone: Type.String(),
  team: Type.String(),
  assigned_user: Type.String(),
  priority: Type.String(),
})
export type TicketDetails = Static<typeof TicketDetails>

const SEARCH = statement<
  TicketSummary & { at: number },
  { partners: readonly number[]; only_open: readonly boolean[] }
>(
  'helpdesk_tickets_search',
  sql`select wanted.at::int as at, found.* from (select * from unnest(${param('partners')}::bigint[], ${param('only_open')}::bool[]) with ordinality ${limitOfRows()})
        as wanted (partner, only_open, at)
      cross join lateral (
        select t.id as ticket_id, t.name as ticket_name, t.id, t.name, coalesce(s.name, ${sql.raw(`'${STAGE_OF_NONE}'`)}) as stage,
          t.create_date, coalesce(t.description, '') as description
        from helpdesk_ticket t left join helpdesk_stage s on s.id = t.stage_id
        where t.partner_id = wanted.partner and t.active and (not wanted.only_open or coalesce(s.fold, false) = false)
        order by t.id desc limit ${sql.raw(String(TICKETS_MAX))}) found
      order by found.ticket_id desc`,
)

/** What of a ticket decides who may touch it. */
export type TicketOwners = RowOf<typeof ticketModel, 'partner_id' | 'made_in_call'>

const FETCH = statement<TicketDetails & TicketOwners, { ticket_id: number }>(
  'helpdesk_ticket_fetch',
  sql`select t.id as ticket_id, t.name as ticket_name, coalesce(t.description, '') as description,
        coalesce(s.name, ${sql.raw(`'${STAGE_OF_NONE}'`)}) as stage,
        coalesce(t.partner_name, ${contactColumn('name', sql`t.partner_id`)}, '') as partner_name, coalesce(t.partner_email, '') as partner_email,
        coalesce(t.partner_phone, '') as partner_phone, coalesce(g.name, '') as team,
        coalesce(u.name, ${sql.raw(`'${UNASSIGNED}'`)}) as assigned_user, t.create_date, coalesce(t.priority, '0') as priority,
        t.partner_id, t.made_in_call
      from helpdesk_ticket t
      left join helpdesk_stage s on s.id = t.stage_id
      left join helpdesk_team g on g.id = t.team_id
      left join res_users u on u.id = t.user_id
      where t.id = ${param('ticket_id')}`,
)

interface WantedTickets {
  readonly partnerId: number
  readonly onlyOpen: boolean
}

/** The contact's tickets, newest first, at most ten. */
export const searchTickets = gathered(async (db, wanted: readonly WantedTickets[]): Promise<TicketSummary[][]> => {
  const found = await db.run(SEARCH, {
    partners: wanted.map(({ partnerId }) => partnerId),
    only_open: wanted.map(({ onlyOpen }) => onlyOpen),
  })
  const byPlace = Map.groupBy(found, ({ at }) => at)
  return wanted.map((_each, place) => (byPlace.get(place + 1) ?? []).map(({ at: _at, ...ticket }) => asTold(ticket)))
})

export async function fetchTicket(db: Queryable, id: number): Promise<(TicketDetails & TicketOwners) | undefined> {
  const [ticket] = await db.run(FETCH, { ticket_id: id })
  if (ticket === undefined) return undefined
  const { partner_name: contact, team, assigned_user: assignee } = ticket
  return {
    ...asTold(ticket),
    partner_name: nameForAgents(contact),
    team: nameForAgents(team),
    assigned_user: nameForAgents(assignee),
  }
}

/** As an agent reads it: its subject, which may be somebody's words, stays as it is, but in one line. */
function asTold<Ticket extends { ticket_name: string; name?: string; stage: string }>(ticket: Ticket): Ticket {
  const subject = cleanName(ticket.ticket_name)
  return {
    ...ticket,
    ticket_name: subject,
    ...(ticket.name === undefined ? {} : { name: subject }),
    stage: nameForAgents(ticket.stage),
  }
}
