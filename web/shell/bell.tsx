import { Popover } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Bell as BellIcon } from 'lucide-react'
import { useState } from 'react'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { phone } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { formats, named, useWords } from '../words/words.ts'
import classes from './bell.module.css'
import { noticeAddress } from './notice-address.ts'
import { noticeTitle } from './notice-words.ts'
import { type Notice, useNotices } from './notices.ts'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const
/** What somebody should hear of: how much of it is new, and where each leads. */
export function Bell({ isFolded = false }: { isFolded?: boolean }) {
  const say = useWords('shell')
  const [isOpen, setOpen] = useState(false)
  const { notices, isSuccess, unread, markRead, markUnread } = useNotices()
  const unreadIds = notices.filter(({ read_at: at }) => at === null).map(({ id }) => id)
  const readAll = async (): Promise<void> => {
    await markRead(unreadIds)
    const back = () => markUnread(unreadIds).catch(tellRefusal)
    tellDone(say('allRead'), { label: say('undo'), run: () => void back() })
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="right-end" width={340} trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.bell}
          aria-expanded={isOpen}
          title={isFolded ? say('notices') : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <BellIcon {...ICON} />
          <span className={isFolded ? 'sr-only' : classes.name}>{say('notices')}</span>
          {unread > 0 ? <span className={classes.count}>{unread}</span> : null}
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0} className={classes.panel}>
        <section aria-label={say('notices')}>
          <header className={classes.head}>
            <h2>{say('notices')}</h2>
            {unreadIds.length === 0 ? null : (
              <Button variant="subtle" size="compact-sm" onClick={() => readAll().catch(tellRefusal)}>
                {say('markAllRead')}
              </Button>
            )}
          </header>
          {notices.length === 0 && isSuccess ? <p className={classes.none}>{say('noNotices')}</p> : null}
          <ul className={classes.list}>
            {notices.map((notice) => (
              <li key={notice.id}>
                <NoticeRow notice={notice} onOpen={() => setOpen(false)} markRead={markRead} />
              </li>
            ))}
          </ul>
        </section>
      </Popover.Dropdown>
    </Popover>
  )
}

interface RowProps {
  notice: Notice
  onOpen: () => void
  markRead: (ids: readonly number[]) => Promise<unknown>
}

function NoticeRow({ notice, onOpen, markRead }: RowProps) {
  const say = useWords('shell')
  const navigate = useNavigate()
  const { id, noticed_at: at, read_at: readAt } = notice
  const open = async (): Promise<void> => {
    onOpen()
    if (readAt === null) await markRead([id])
    await navigate({ href: await noticeAddress(notice) })
  }
  const about = aboutOf(notice, say)
  return (
    <button
      type="button"
      className={classes.notice}
      data-unread={readAt === null || undefined}
      onClick={() => open().catch(tellRefusal)}
    >
      <span className={classes.line}>
        <strong>{noticeTitle(notice, say)}</strong>
        <time className="dim number">{at === null ? '' : formats.time(at)}</time>
      </span>
      {about.map((each) => (
        <span key={each} className={classes.about}>
          {each}
        </span>
      ))}
    </button>
  )
}

/** What it is about; of what failed with a provider, which one. */
function aboutOf({ kind, title, detail }: Notice, say: (key: Keys['shell']) => string): string[] {
  if (kind === 'run_failed' || kind === 'delivery_dead') {
    const isTelco = `${detail ?? title ?? ''}`.startsWith('telco')
    return [say(isTelco ? 'phoneProvider' : 'voiceAgents')]
  }
  // Its title says whose call it was.
  if (kind === 'missed') return []
  return [title, detail].filter((each) => each !== null && each !== '').map((each) => phone(named(String(each))))
}
