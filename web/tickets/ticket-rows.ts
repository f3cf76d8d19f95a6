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

export function domainOf({ team, mine }: TicketsSearch, me: number): Domain {
  return [
    ['active', '=', true],
    ...(team === undefined ? [] : ([['team_id', '=', team]] as const)),
    ...(mine === undefined ? [] : ([['user_id', '=', me]] as const)),
  ]
}
