import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis } from 'lucide-react'
import type { RefObject } from 'react'
import { Initials } from '../design/initials.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './board.module.css'
import { useDrag } from './drag.ts'
import type { Stage } from './stages.ts'
import type { TicketRow } from './ticket-rows.ts'

const URGENT = ['2', '3']

interface Props {
  ticket: TicketRow
  stages: readonly Stage[]
  onMove: (stage: Stage) => void
  onOpen: () => void
}

/** A ticket on the board. */
export function Card({ ticket, stages, onMove, onOpen }: Props) {
  const say = useWords('tickets')
  const { ref, isCarried } = useDrag(ticket)
  const { id, name, priority, partner_name: partner, user_id: user, create_date: at } = ticket
  return (
    <article ref={ref as RefObject<HTMLElement>} className={classes.card} data-carried={isCarried || undefined}>
      <div className={classes.line}>
        <button type="button" className={classes.subject} onClick={onOpen}>
          {priority !== null && URGENT.includes(priority) ? (
            <span role="img" aria-label={say('urgent')}>
              ▲{' '}
            </span>
          ) : null}
          {plain(name ?? `#${id}`)}
        </button>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" size="sm" aria-label={say('move', { name: `#${id}` })}>
              <Ellipsis size={16} strokeWidth={1.75} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{say('moveTo')}</Menu.Label>
            {stages
              .filter((stage) => stage.id !== ticket.stage_id?.[0])
              .map((stage) => (
                <Menu.Item key={stage.id} onClick={() => onMove(stage)}>
                  {plain(stage.name)}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      <div className={classes.line}>
        <span className={classes.meta}>
          #{id} {plain(partner ?? '')} {at === null ? '' : formats.time(at)}
        </span>
        {user === null ? null : (
          <span role="img" aria-label={plain(user[1])} title={plain(user[1])}>
            <Initials name={user[1]} />
          </span>
        )}
      </div>
    </article>
  )
}
