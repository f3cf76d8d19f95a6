import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { create, type Domain } from '../data/client.ts'
import type { Link } from '../data/models.gen.ts'
import { throwsInstead } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { useKeys } from '../design/keys.ts'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { stageName } from '../words/labels.ts'
import { useWords } from '../words/words.ts'
import classes from './board.module.css'
import { type BoardStage, boardQuery, refreshTickets } from './board-data.ts'
import { callsOfTickets } from './calls-of-tickets.ts'
import { Column } from './column.tsx'
import { rememberOrder } from './list-order.ts'
import { useMove } from './move-ticket.ts'
import { NameDialog } from './name-dialog.tsx'
import { countOf } from './stage-count.ts'

interface Props {
  domain: Domain
  team: Link | undefined
  isSearched: boolean
  onOpen: (id: number) => void
}

/** A column for each stage; a card is dragged, or moved by its menu, which `m` opens. */
export function Board({ domain, team, isSearched, onOpen }: Props) {
  const say = useWords('tickets')
  const query = boardQuery(team?.[0], domain)
  const { data: stages = [], isSuccess } = useQuery({ ...query, throwOnError: throwsInstead })
  const isManager = useIsInOne(GROUP.helpdeskManager)
  const [shown, setShown] = useState<number>()
  const [menu, setMenu] = useState<number>()
  const move = useMove(query.queryKey, onOpen)
  const tickets = useMemo(() => stages.flatMap(({ rows }) => rows.map(({ id }) => id)), [stages])
  const { data: calls } = useQuery({ ...callsOfTickets(tickets), enabled: tickets.length > 0 })
  useEffect(() => rememberOrder(tickets), [tickets])
  useKeys(
    useMemo(() => {
      const move = () => setMenu(focusedTicket() ?? tickets[0])
      return { m: Object.assign(move, { isHere: () => tickets.length > 0 }) }
    }, [tickets]),
  )
  const current = shown ?? stages.find(({ rows }) => rows.length > 0)?.id ?? stages[0]?.id
  return (
    <>
      <nav className={classes.tabs} aria-label={say('stage')}>
        {stages.map((stage) => (
          <button type="button" key={stage.id} aria-pressed={stage.id === current} onClick={() => setShown(stage.id)}>
            {plain(stageName(stage.name))} <span className="dim">{countOf(stage.count)}</span>
          </button>
        ))}
      </nav>
      {isSuccess && stages.length === 0 ? <p className="dim">{say('noStages')}</p> : null}
      <div className={classes.board}>
        {stages.map((stage) => (
          <Column
            key={`${stage.id} ${stage.fold}`}
            stage={stage}
            stages={stages}
            team={team}
            calls={calls ?? new Map()}
            isShown={stage.id === current}
            isSearched={isSearched}
            menu={menu}
            onMenu={setMenu}
            onMove={(ticket, to, after) => move({ ticket, stage: to, after })}
          />
        ))}
        {isManager ? <NewStage team={team?.[0]} stages={stages} /> : null}
      </div>
    </>
  )
}

/** The ticket whose card has the focus. */
function focusedTicket(): number | undefined {
  const card = document.activeElement?.closest<HTMLElement>('[data-ticket]')
  return card === null || card === undefined ? undefined : Number(card.dataset.ticket)
}

const STEP = 10

function NewStage({ team, stages }: { team: number | undefined; stages: readonly BoardStage[] }) {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const [isNaming, setNaming] = useState(false)
  const save = async (name: string): Promise<void> => {
    const ofTeam = team === undefined ? {} : { team_ids: [team] }
    await create('helpdesk.stage', { name, sequence: (stages.length + 1) * STEP, ...ofTeam })
    await refreshTickets(queries)
  }
  return (
    <div className={classes.newStage}>
      <Button variant="subtle" onClick={() => setNaming(true)}>
        + {say('newStage')}
      </Button>
      {isNaming ? <NameDialog title={say('newStage')} onSave={save} onClose={() => setNaming(false)} /> : null}
    </div>
  )
}
