import type { Domain, Row } from '../data/client.ts'
import type { TicketsSearch } from './tickets-search.ts'

export const TICKET_FIELDS = [
  'name',
  'stage_id',
  'team_id',
  'user_id',
  'partner_id',
  'partner_name',
  'priority',
  'create_date',
] as const
export type TicketRow = Row<'helpdesk.ticket', (typeof TICKET_FIELDS)[number]> & { id: number }

/** Who the ticket is for: the contact as it is called today, else the name that was written down with the ticket. */
export function contactOf({
  partner_id: contact,
  partner_name: written,
}: Pick<TicketRow, 'partner_id' | 'partner_name'>): string {
  return contact?.[1] ?? written ?? ''
}

/** The search that an address stands for, with the tickets that its words were found in. */
export function domainOf({ team, mine }: TicketsSearch, me: number, found?: readonly number[]): Domain {
  return [
    ['active', '=', true],
    ...(team === undefined ? [] : ([['team_id', '=', team]] as const)),
    ...(mine === undefined ? [] : ([['user_id', '=', me]] as const)),
    ...(found === undefined ? [] : ([['id', 'in', found]] as const)),
  ]
}
