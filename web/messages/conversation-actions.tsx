import { Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import type { Conversation } from './conversations.ts'
import classes from './messages.module.css'
import { useNow } from './use-now.ts'
import { windowLeft } from './window-left.ts'

const COLLEAGUES_MAX = 50

/** How long one may write freely, who looks after the conversation, and its end. */
export function ConversationActions({ conversation }: { conversation: Conversation }) {
  const say = useWords('messages')
  const queries = useQueryClient()
  const { id, channel, window_until: until, closed_at: closedAt, assigned } = conversation
  const left = windowLeft(until, useNow())
  const refresh = () => queries.invalidateQueries({ queryKey: keysOf('connect.message') })
  const change = async (work: Promise<unknown>, done: string, undo: () => Promise<unknown>): Promise<void> => {
    try {
      await work
      tellDone(done, { label: say('undo'), run: () => void undo().then(refresh, tellRefusal) })
    } catch (error) {
      tellRefusal(error)
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
            () => call('connect.conversation', 'assign', { ids: [id], user: assigned?.[0] ?? null }),
          )
        }
      />
      {closedAt === null ? (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() =>
            change(call('connect.conversation', 'close', { ids: [id] }), say('closed'), () =>
              call('connect.conversation', 'reopen', { ids: [id] }),
            )
          }
        >
          {say('close')}
        </Button>
      ) : (
        <span className="dim">{say('isClosed')}</span>
      )}
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
  const [isOpen, setOpen] = useState(false)
  const { data: people = [] } = useQuery({
    ...listQuery('res.users', {
      domain: [['id', '!=', me.id]],
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
          {assigned === null ? say('assign') : plain(assigned[1])} ▾
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
