import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import type { Methods } from '../data/models.gen.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { plain } from '../words/formats.ts'
import { stageName } from '../words/labels.ts'
import { useWords } from '../words/words.ts'
import { type BoardStage, refreshTickets, withMoved } from './board-data.ts'
import type { TicketRow } from './ticket-rows.ts'

const SECONDS_PER_MINUTE = 60

type Answer = Methods['helpdesk.ticket']['move']['result']

interface Wanted {
  ticket: TicketRow
  stage: Pick<BoardStage, 'id' | 'name'>
  after: number | null
}

/**
 * Moves a ticket: shown at once, with a way back. When somebody else was faster the card goes to where they put it, and one is
 * asked whether to move it anyway.
 */
export function useMove(board: QueryKey | undefined, onShow: (id: number) => void): (wanted: Wanted) => Promise<void> {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const put = async (wanted: Wanted, from: number | null | undefined) => {
    const { ticket, stage, after } = wanted
    if (board !== undefined) {
      await queries.cancelQueries({ queryKey: board })
      queries.setQueryData<BoardStage[]>(
        board,
        (stages) => stages && withMoved(stages, { ticket, stage: stage.id, after }),
      )
    }
    const seen = from === undefined ? {} : { from }
    return call('helpdesk.ticket', 'move', { ids: [ticket.id], stage_id: stage.id, after, ...seen })
  }
  const ago = (seconds: number) =>
    seconds < SECONDS_PER_MINUTE
      ? say('secondsAgo', { count: seconds })
      : say('minutesAgo', { count: Math.round(seconds / SECONDS_PER_MINUTE) })
  const tellMoved = (wanted: Wanted, answer: Answer): void => {
    const { ticket, stage } = wanted
    const { moved, stage: before, after } = answer
    if (!moved) {
      const name = plain(answer.by ?? say('somebody'))
      const told = { name, stage: plain(stageName(before?.name ?? '')), ago: ago(answer.seconds_ago ?? 0) }
      const show = { label: say('show'), run: () => onShow(ticket.id) }
      tellDone(say('taken', told), show, { label: say('moveAnyway'), run: () => void move(wanted, true) })
    } else if (before !== null && before.id !== stage.id) {
      const back = () =>
        put({ ticket, stage: before, after }, stage.id).then(() => refreshTickets(queries), tellRefusal)
      tellDone(say('movedTo', { stage: plain(stageName(stage.name)) }), { label: say('undo'), run: () => void back() })
    }
  }
  const move = async (wanted: Wanted, isAnyway = false): Promise<void> => {
    const { ticket } = wanted
    const shown = board === undefined ? undefined : queries.getQueryData<BoardStage[]>(board)
    try {
      const answer = await put(wanted, isAnyway ? undefined : (ticket.stage_id?.[0] ?? null))
      tellMoved(wanted, answer)
    } catch (error) {
      // At once: the board may not be read again for as long as the service is away.
      if (board !== undefined && shown !== undefined) queries.setQueryData<BoardStage[]>(board, shown)
      tellRefusal(error)
    }
    await refreshTickets(queries)
  }
  return move
}
