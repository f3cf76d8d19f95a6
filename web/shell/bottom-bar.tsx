import { Link } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../data/session.ts'
import { later } from '../design/later.tsx'
import { useWords } from '../words/words.ts'
import classes from './frame.module.css'
import { entriesFor } from './nav.ts'

const TABS_MAX = 4
const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

const { Later: More } = later(
  async () => (await import('./more-drawer.tsx')).MoreDrawer,
  ({ isOpen }) => isOpen,
)

/** On a telephone the rail is a bar of five at most at the bottom: what one works with, and the rest behind the last. */
export function BottomBar() {
  const say = useWords('shell')
  const entries = entriesFor(useMe())
  const tabs = entries.filter(({ part }) => part === 'live').slice(0, TABS_MAX)
  const [isOpen, setOpen] = useState(false)
  return (
    <nav data-rail className={classes.bar} aria-label={say('pages')}>
      {tabs.map(({ to, words, icon: Icon }) => (
        <Link key={to} to={to} className={classes.tab}>
          <Icon {...ICON} />
          {say(words)}
        </Link>
      ))}
      <button type="button" className={classes.tab} onClick={() => setOpen(true)}>
        <Menu {...ICON} />
        {say('more')}
      </button>
      <More isOpen={isOpen} entries={entries.filter((entry) => !tabs.includes(entry))} onClose={() => setOpen(false)} />
    </nav>
  )
}
