import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useRef } from 'react'
import { Initials } from '../design/initials.tsx'
import { MenuItem } from '../design/menu-item.tsx'
import { ActionIcon } from '../design/press.tsx'
import type { CallRow } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { useGoneMark } from '../records/deactivated.ts'
import { plain } from '../words/formats.ts'
import { stageName } from '../words/labels.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './board.module.css'
import type { BoardStage } from './board-data.ts'
import { useDrag, useDrop } from './drag.ts'
import { contactOf, type TicketRow } from './ticket-rows.ts'

const [HIGH, URGENT] = ['2', '3']

interface Props {
  ticket: TicketRow
  /** The newest call about it, for everybody who may see calls. */
  call: (CallRow & { id: number }) | undefined
  stages: readonly BoardStage[]
  isMenuOpen: boolean
  onMenu: (isOpen: boolean) => void
  onMove: (stage: BoardStage) => unknown
  /** Another card was put down on this one. */
  onPut: (ticket: TicketRow) => void
}

/** A ticket on the board. */
export function Card({ ticket, call, stages, isMenuOpen, onMenu, onMove, onPut }: Props) {
  const ref = useRef<HTMLElement>(null)
  const { isCarried } = useDrag(ref, ticket)
  const { isOver } = useDrop(ref, onPut)
  const { id, name, priority, user_id: user, create_date: at } = ticket
  const markOf = useGoneMark()
  const mark = user === null ? '' : markOf(user[0])
  const whose = `${plain(user?.[1] ?? '')}${mark}`
  return (
    <article
      ref={ref}
      className={classes.card}
      data-ticket={id}
      data-carried={isCarried || undefined}
      data-under={isOver || undefined}
    >
      <div className={classes.line}>
        <Link to="/tickets/$id" params={{ id: String(id) }} className={classes.subject} draggable={false}>
          {plain(name ?? `#${id}`)}
        </Link>
        <MoveMenu {...{ id, stages, isMenuOpen, onMenu, onMove }} current={ticket.stage_id?.[0]} />
      </div>
      <div className={classes.line}>
        <span className={classes.meta}>
          <Mark priority={priority} />#{id} {plain(contactOf(ticket))} {at === null ? '' : formats.time(at)}
        </span>
        {user === null ? null : (
          <span role="img" aria-label={whose} title={whose}>
            <Initials name={user[1]} isGone={mark !== ''} />
          </span>
        )}
      </div>
      {call === undefined ? null : (
        <div className={classes.strip}>
          <CallStripOf call={call} />
          <span className="number">{formats.duration(call.duration ?? 0)}</span>
        </div>
      )}
    </article>
  )
}

interface MenuProps extends Pick<Props, 'stages' | 'isMenuOpen' | 'onMenu' | 'onMove'> {
  id: number
  current: number | undefined
}

function MoveMenu({ id, stages, isMenuOpen, onMenu, onMove, current }: MenuProps) {
  const say = useWords('tickets')
  return (
    <Menu position="bottom-end" opened={isMenuOpen} onChange={onMenu}>
      <Menu.Target>
        <ActionIcon variant="subtle" className={classes.menu} aria-label={say('move', { name: `#${id}` })}>
          <Ellipsis size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{say('moveTo')}</Menu.Label>
        {stages
          .filter((stage) => stage.id !== current)
          .map((stage) => (
            <MenuItem key={stage.id} onClick={() => onMove(stage)}>
              {plain(stageName(stage.name))}
            </MenuItem>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Mark({ priority }: Pick<TicketRow, 'priority'>) {
  const say = useWords('tickets')
  if (priority !== HIGH && priority !== URGENT) return null
  const label = say(priority === HIGH ? 'high' : 'urgent')
  return (
    <span role="img" aria-label={label} title={label}>
      ▲{' '}
    </span>
  )
}
