import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Domain, write } from '../data/client.ts'
import { countQuery, listQuery } from '../data/queries.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './board.module.css'
import { Card } from './card.tsx'
import { useDrop } from './drag.ts'
import { moveTicket, refreshTickets } from './move-ticket.ts'
import { type Stage, stagesOf, stagesQuery } from './stages.ts'
import { TICKET_FIELDS, type TicketRow } from './ticket-rows.ts'

const CARDS_MAX = 100

interface Props {
  domain: Domain
  team: number | undefined
  onOpen: (id: number) => void
}

/** A column for each stage; a card is dragged, or moved by its menu. */
export function Board({ domain, team, onOpen }: Props) {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const { data: all = [] } = useQuery(stagesQuery)
  const stages = stagesOf(all, team)
  const [shown, setShown] = useState<number>()
  const move = async (ticket: TicketRow, stage: Stage): Promise<void> => {
    const before = ticket.stage_id?.[0]
    const undo = () =>
      write('helpdesk.ticket', [ticket.id], { stage_id: before }).then(() => refreshTickets(queries), tellRefusal)
    try {
      const { takenTo } = await moveTicket(ticket, stage.id)
      if (takenTo !== undefined) tellDone(say('taken', { stage: takenTo }))
      else if (before !== undefined)
        tellDone(say('movedTo', { stage: plain(stage.name) }), { label: say('undo'), run: () => void undo() })
    } catch (error) {
      tellRefusal(error)
    }
    await refreshTickets(queries)
  }
  return (
    <>
      <nav className={classes.tabs} aria-label={say('stage')}>
        {stages.map((stage) => (
          <button
            type="button"
            key={stage.id}
            aria-pressed={stage.id === (shown ?? stages[0]?.id)}
            onClick={() => setShown(stage.id)}
          >
            {plain(stage.name)}
          </button>
        ))}
      </nav>
      <div className={classes.board}>
        {stages.map((stage) => (
          <Column
            key={stage.id}
            stage={stage}
            stages={stages}
            isShown={stage.id === (shown ?? stages[0]?.id)}
            domain={[...domain, ['stage_id', '=', stage.id]]}
            onMove={(ticket, to) => void move(ticket, to)}
            onOpen={onOpen}
          />
        ))}
      </div>
    </>
  )
}

interface ColumnProps {
  stage: Stage
  stages: readonly Stage[]
  /** On a telephone one stage is there at a time. */
  isShown: boolean
  domain: Domain
  onMove: (ticket: TicketRow, to: Stage) => void
  onOpen: (id: number) => void
}

function Column({ stage, stages, isShown, domain, onMove, onOpen }: ColumnProps) {
  const say = useWords('tickets')
  const { data: tickets = [] } = useQuery(
    listQuery('helpdesk.ticket', { domain, fields: TICKET_FIELDS, order: 'id desc', limit: CARDS_MAX }),
  )
  const { data: total } = useQuery(countQuery('helpdesk.ticket', { domain }))
  const { ref, isOver } = useDrop<TicketRow>((ticket) => {
    if (ticket.stage_id?.[0] !== stage.id) onMove(ticket, stage)
  })
  return (
    <section
      ref={ref}
      className={classes.column}
      aria-label={plain(stage.name)}
      data-over={isOver || undefined}
      data-shown={isShown || undefined}
    >
      <h2 className={classes.head}>
        {plain(stage.name)} <span className="dim">{total === undefined ? '' : formats.count(total)}</span>
      </h2>
      {tickets.length === 0 ? <p className={classes.none}>{say('nothingHere')}</p> : null}
      <ul className={classes.cards}>
        {tickets.map((ticket) => (
          <li key={ticket.id}>
            <Card
              ticket={ticket}
              stages={stages}
              onMove={(to) => onMove(ticket, to)}
              onOpen={() => onOpen(ticket.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
