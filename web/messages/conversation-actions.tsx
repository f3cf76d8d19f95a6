import { Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Row, searchRead } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useGoneMark } from '../records/deactivated.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import type { Conversation } from './conversations.ts'
import classes from './messages.module.css'
import { useNow } from './use-now.ts'
import { windowLeft } from './window-left.ts'

const COLLEAGUES_MAX = 50

const STANDING = ['assigned', 'closed_at'] as const
type Standing = Row<'connect.conversation', (typeof STANDING)[number]> | undefined

/** Puts a change back, where nobody else has changed the same since. */
interface WayBack {
  isStill: (now: Standing) => boolean
  undo: () => Promise<unknown>
}

async function standing(id: number): Promise<Standing> {
  const [now] = await searchRead('connect.conversation', { domain: [['id', '=', id]], fields: STANDING, limit: 1 })
  return now
}

/** How long one may write freely, who looks after the conversation, and its end. */
export function ConversationActions({ conversation }: { conversation: Conversation }) {
  const say = useWords('messages')
  const records = useWords('records')
  const queries = useQueryClient()
  const { id, channel, window_until: until, closed_at: closedAt, assigned } = conversation
  const left = windowLeft(until, useNow())
  const refresh = () => queries.invalidateQueries({ queryKey: keysOf('connect.message') })
  const [problem, setProblem] = useProblem('')
  const change = async (work: Promise<unknown>, done: string, { isStill, undo }: WayBack): Promise<void> => {
    setProblem('')
    try {
      await work
      const back = async (): Promise<void> => {
        const isOurs = isStill(await standing(id))
        if (isOurs) await undo()
        else tellDone(records('undoneNot'))
      }
      tellDone(done, { label: say('undo'), run: () => void back().then(refresh, tellRefusal) })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    await refresh()
  }
  return (
    <div className={classes.actions}>
      {channel !== 'WhatsApp' ? null : (
        <span className={classes.window} data-open={left !== undefined || undefined}>
          {left === undefined ? say('windowClosed') : say('windowOpen', { ...left })}
        </span>
      )}
      <AssignMenu
        conversation={conversation}
        onAssign={(user, name) =>
          change(
            call('connect.conversation', 'assign', { ids: [id], user }),
            user === null ? say('unassigned') : say('assignedTo', { name }),
            {
              isStill: (now) => (now?.assigned?.[0] ?? null) === user,
              undo: () => call('connect.conversation', 'assign', { ids: [id], user: assigned?.[0] ?? null }),
            },
          )
        }
      />
      {closedAt === null ? (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() =>
            change(call('connect.conversation', 'close', { ids: [id] }), say('closed'), {
              isStill: (now) => now?.closed_at !== null,
              undo: () => call('connect.conversation', 'reopen', { ids: [id] }),
            })
          }
        >
          {say('close')}
        </Button>
      ) : (
        <span className="dim">{say('isClosed')}</span>
      )}
      <span role="alert" className={classes.failed}>
        {problem}
      </span>
    </div>
  )
}

function AssignMenu({
  conversation: { assigned },
  onAssign,
}: {
  conversation: Conversation
  onAssign: (user: number | null, name: string) => unknown
}) {
  const say = useWords('messages')
  const me = useMe()
  const markOf = useGoneMark()
  const [isOpen, setOpen] = useState(false)
  const { data: people = [] } = useQuery({
    ...listQuery('res.users', {
      domain: [
        ['id', '!=', me.id],
        ['is_in_connect', '=', true],
      ],
      fields: ['name'],
      order: 'name',
      limit: COLLEAGUES_MAX,
    }),
    enabled: isOpen,
  })
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="compact-sm">
          {assigned === null ? say('assign') : `${plain(assigned[1])}${markOf(assigned[0])}`} ▾
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.colleagues}>
        <MenuItem onClick={() => onAssign(me.id, say('you'))}>{say('assignMe')}</MenuItem>
        {people.map(({ id, name }) => (
          <MenuItem key={id} onClick={() => onAssign(id, plain(name ?? ''))}>
            {plain(name ?? `#${id}`)}
          </MenuItem>
        ))}
        {assigned === null ? null : <MenuItem onClick={() => onAssign(null, '')}>{say('assignNobody')}</MenuItem>}
      </Menu.Dropdown>
    </Menu>
  )
}
