import type { QueryClient } from '@tanstack/react-query'
import { searchRead, write } from '../data/client.ts'
import { plain } from '../words/formats.ts'
import type { TicketRow } from './ticket-rows.ts'

export interface Moved {
  /** Where somebody else had put it meanwhile; nothing was moved then. */
  takenTo?: string
}

/** Moves a ticket to a stage, unless somebody moved it since it was read here. */
export async function moveTicket(ticket: TicketRow, stage: number): Promise<Moved> {
  const [now] = await searchRead('helpdesk.ticket', {
    domain: [['id', '=', ticket.id]],
    fields: ['stage_id'],
    limit: 1,
  })
  const there = now?.stage_id ?? null
  if (there !== null && there[0] !== ticket.stage_id?.[0] && there[0] !== stage) return { takenTo: plain(there[1]) }
  await write('helpdesk.ticket', [ticket.id], { stage_id: stage })
  return {}
}

export function refreshTickets(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['helpdesk.ticket'] })
}
