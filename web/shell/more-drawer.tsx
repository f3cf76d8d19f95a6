import { Drawer } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useWords } from '../words/words.ts'
import { Bell } from './bell.tsx'
import classes from './frame.module.css'
import type { Entry } from './nav.ts'
import { PersonMenu } from './person-menu.tsx'
import { openSearch } from './search.tsx'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

interface Props {
  isOpen: boolean
  entries: readonly Entry[]
  onClose: () => void
}

/** What the bar of a telephone has no place for. */
export function MoreDrawer({ isOpen, entries, onClose }: Props) {
  const say = useWords('shell')
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="bottom"
      size="auto"
      title={say('more')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <button
        type="button"
        className={classes.entry}
        onClick={() => {
          onClose()
          openSearch()
        }}
      >
        <Search {...ICON} />
        {say('search')}
      </button>
      {entries.map(({ to, words, icon: Icon }) => (
        <Link key={to} to={to} className={classes.entry} onClick={onClose}>
          <Icon {...ICON} />
          {say(words)}
        </Link>
      ))}
      <Bell />
      <PersonMenu isFolded={false} onKeys={onClose} />
    </Drawer>
  )
}
