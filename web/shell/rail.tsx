import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useMe } from '../data/session.ts'
import { useWords } from '../words/words.ts'
import { Bell } from './bell.tsx'
import classes from './frame.module.css'
import { entriesFor, partsOf } from './nav.ts'
import { PersonMenu } from './person-menu.tsx'
import { openSearch } from './search.tsx'
import { UnreadMessages } from './unread-messages.tsx'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The way to every page one may see, in two groups. */
export function Rail({ isFolded, onKeys }: { isFolded: boolean; onKeys: () => void }) {
  const say = useWords('shell')
  const entries = entriesFor(useMe())
  return (
    <nav data-rail className={classes.rail} aria-label={say('pages')}>
      <div className={classes.brand}>{isFolded ? 'C' : 'Connect'}</div>
      <button type="button" className={classes.search} onClick={openSearch} aria-label={say('search')}>
        <Search {...ICON} />
        {isFolded ? null : <span className={classes.grow}>{say('searchShort')}</span>}
        {isFolded ? null : <kbd>/</kbd>}
      </button>
      {partsOf(entries).map((part) => (
        <div key={part}>
          {isFolded ? null : <div className={classes.part}>{say(part)}</div>}
          {entries
            .filter((entry) => entry.part === part)
            .map(({ to, words, icon: Icon }) => (
              <Link key={to} to={to} className={classes.entry} title={isFolded ? say(words) : undefined}>
                <Icon {...ICON} />
                {isFolded ? (
                  <span className="sr-only">{say(words)}</span>
                ) : (
                  <span className={classes.grow}>{say(words)}</span>
                )}
                {to === '/messages' ? <UnreadMessages /> : null}
              </Link>
            ))}
        </div>
      ))}
      <div className={classes.grow} />
      <Bell isFolded={isFolded} />
      <PersonMenu isFolded={isFolded} onKeys={onKeys} />
    </nav>
  )
}
