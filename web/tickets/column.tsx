import { useRef, useState } from 'react'
import type { Link } from '../data/models.gen.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import type { CallRow } from '../lines/call-rows.ts'
import { plain } from '../words/formats.ts'
import { stageName } from '../words/labels.ts'
import { useWords } from '../words/words.ts'
import { AddTicket } from './add-ticket.tsx'
import classes from './board.module.css'
import type { BoardStage } from './board-data.ts'
import { Card } from './card.tsx'
import { useDrop } from './drag.ts'
import { countOf } from './stage-count.ts'
import { StageMenu } from './stage-menu.tsx'
import type { TicketRow } from './ticket-rows.ts'

interface Props {
  stage: BoardStage
  stages: readonly BoardStage[]
  team: Link | undefined
  calls: ReadonlyMap<number, CallRow & { id: number }>
  /** On a telephone one stage is there at a time. */
  isShown: boolean
  /** What was found is shown, also where the stage is folded. */
  isSearched: boolean
  /** The ticket whose menu is open. */
  menu: number | undefined
  onMenu: (id: number | undefined) => void
  onMove: (ticket: TicketRow, to: BoardStage, after: number | null) => unknown
}

/** One stage of the board. One that is folded is a narrow column until it is opened. */
export function Column({ stage, stages, team, calls, isShown, isSearched, menu, onMenu, onMove }: Props) {
  const say = useWords('tickets')
  const isManager = useIsInOne(GROUP.helpdeskManager)
  const [opened, setOpened] = useState<boolean>()
  const isOpen = opened ?? isOpenAtFirst(stage, isSearched)
  const ref = useRef<HTMLElement>(null)
  const { isOver } = useDrop<TicketRow>(ref, (ticket) => onMove(ticket, stage, stage.rows.at(-1)?.id ?? null))
  const name = plain(stageName(stage.name))
  const isNarrow = stage.fold && !isOpen
  return (
    <section
      ref={ref}
      className={classes.column}
      aria-label={name}
      data-over={isOver || undefined}
      data-narrow={(isNarrow && !isShown) || undefined}
      data-shown={isShown || undefined}
    >
      <div className={classes.head}>
        <h2>
          <StageName stage={stage} isOpen={isOpen} onFold={() => setOpened(!isOpen)} />
        </h2>
        {isManager && !isNarrow ? <StageMenu stage={stage} stages={stages} /> : null}
      </div>
      <div className={classes.inside}>
        {stage.rows.length === 0 ? <p className={classes.none}>{say('nothingHere')}</p> : null}
        <ul className={classes.cards}>
          {stage.rows.map((ticket) => (
            <li key={ticket.id}>
              <Card
                ticket={ticket}
                call={calls.get(ticket.id)}
                stages={stages}
                isMenuOpen={menu === ticket.id}
                onMenu={(opens) => onMenu(opens ? ticket.id : undefined)}
                onMove={(to) => onMove(ticket, to, null)}
                onPut={(other) => other.id !== ticket.id && onMove(other, stage, ticket.id)}
              />
            </li>
          ))}
        </ul>
        {stage.fold ? null : <AddTicket stage={stage.id} team={team ?? null} />}
      </div>
    </section>
  )
}

function isOpenAtFirst({ fold, count }: BoardStage, isSearched: boolean): boolean {
  return !fold || (isSearched && count > 0)
}

/** What a stage is called, and of how many tickets; one that is folded is opened by it. */
function StageName({ stage, isOpen, onFold }: { stage: BoardStage; isOpen: boolean; onFold: () => void }) {
  const name = (
    <>
      {plain(stageName(stage.name))} <span className="dim">{countOf(stage.count)}</span>
    </>
  )
  if (!stage.fold) return name
  return (
    <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={onFold}>
      {name}
    </button>
  )
}
