import { Link } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../data/session.ts'
import { later } from '../design/later.tsx'
import { useWords } from '../words/words.ts'
import classes from './frame.module.css'
import { entriesFor } from './nav.ts'

const TABS = ['/now', '/calls', '/tickets', '/messages']
const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

const { Later: More } = later(
  async () => (await import('./more-drawer.tsx')).MoreDrawer,
  ({ isOpen }) => isOpen,
)

/** On a telephone the rail is a bar of five at the bottom, the last of which holds the rest. */
export function BottomBar() {
  const say = useWords('shell')
  const entries = entriesFor(useMe())
  const [isOpen, setOpen] = useState(false)
  return (
    <nav data-rail className={classes.bar} aria-label={say('pages')}>
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
      <More isOpen={isOpen} entries={entries.filter(({ to }) => !TABS.includes(to))} onClose={() => setOpen(false)} />
    </nav>
  )
}
