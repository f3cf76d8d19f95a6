/** The board as it is read, and as it is shown while a move is under way. */

import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { call, type Domain } from '../data/client.ts'
import { asks, keyOf, keysOf } from '../data/keys.ts'
import type { TicketRow } from './ticket-rows.ts'

/** Cards of each stage; with more, the list is the better place. */
const CARDS_MAX = 100

export interface BoardStage {
  id: number
  name: string
  fold: boolean
  count: number
  rows: TicketRow[]
}

export function boardQuery(team: number | undefined, domain: Domain) {
  return asks({
    queryKey: keyOf('helpdesk.ticket', 'board', { team: team ?? null, domain }),
    queryFn: async (): Promise<BoardStage[]> => {
      const stages = await call('helpdesk.ticket', 'board', {
        team: team ?? null,
        domain: [...domain],
        limit: CARDS_MAX,
      })
      return stages as unknown as BoardStage[]
    },
  })
}

/** Tickets in which the words were found, on the tickets themselves or on their calls. */
export function foundQuery(text: string) {
  return asks({
    queryKey: keyOf('helpdesk.ticket', 'tickets-found', text),
    placeholderData: keepPreviousData,
    queryFn: () => call('helpdesk.ticket', 'find', { text }),
  })
}

/** The board with a ticket put into a stage, below another one or on top; pure. */
export function withMoved(
  stages: readonly BoardStage[],
  { ticket, stage, after }: { ticket: TicketRow; stage: number; after: number | null },
): BoardStage[] {
  return stages.map((each) => {
    const others = each.rows.filter(({ id }) => id !== ticket.id)
    const hadIt = others.length < each.rows.length
    if (each.id !== stage) return hadIt ? { ...each, count: each.count - 1, rows: others } : each
    const place = after === null ? 0 : others.findIndex(({ id }) => id === after) + 1
    const moved: TicketRow = { ...ticket, stage_id: [each.id, each.name] }
    return { ...each, count: each.count + (hadIt ? 0 : 1), rows: others.toSpliced(place, 0, moved) }
  })
}

export function refreshTickets(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: keysOf('helpdesk.ticket') })
}
