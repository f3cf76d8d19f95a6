import { Drawer } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../data/session.ts'
import { useWords } from '../words/words.ts'
import { Bell } from './bell.tsx'
import classes from './frame.module.css'
import { entriesFor } from './nav.ts'
import { PersonMenu } from './person-menu.tsx'
import { openSearch } from './search.tsx'

const TABS = ['/now', '/calls', '/tickets', '/messages']
const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** On a telephone the rail is a bar of five at the bottom, the last of which holds the rest. */
export function BottomBar() {
  const say = useWords('shell')
  const entries = entriesFor(useMe())
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <nav className={classes.bar} aria-label={say('pages')}>
      {entries
        .filter(({ to }) => TABS.includes(to))
        .map(({ to, words, icon: Icon }) => (
          <Link key={to} to={to} className={classes.tab}>
            <Icon {...ICON} />
            {say(words)}
          </Link>
        ))}
      <button type="button" className={classes.tab} onClick={() => setOpen(true)}>
        <Menu {...ICON} />
        {say('more')}
      </button>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="bottom"
        size="auto"
        title={say('more')}
        closeButtonProps={{ 'aria-label': say('close') }}
      >
        <button
          type="button"
          className={classes.entry}
          onClick={() => {
            close()
            openSearch()
          }}
        >
          {say('search')}
        </button>
        {entries
          .filter(({ to }) => !TABS.includes(to))
          .map(({ to, words, icon: Icon }) => (
            <Link key={to} to={to} className={classes.entry} onClick={close}>
              <Icon {...ICON} />
              {say(words)}
            </Link>
          ))}
        <Bell />
        <PersonMenu isFolded={false} onKeys={close} />
      </Drawer>
    </nav>
  )
}
