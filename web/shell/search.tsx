import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { useMe } from '../data/session.ts'
import { useWords } from '../words/words.ts'
import { entriesFor } from './nav.ts'
import { searchQuery } from './search-query.ts'

const [store, spotlight] = createSpotlight()

export const openSearch = spotlight.open

/** Finds contacts, calls and tickets by any text, and every page by its name. */
export function SearchBox() {
  const say = useWords('shell')
  const me = useMe()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const wanted = text.trim()
  const { data: hits = [], isFetching } = useQuery(searchQuery(me, wanted))
  const pages = entriesFor(me).filter(({ words }) => say(words).toLowerCase().includes(wanted.toLowerCase()))
  // Hits come after the text was typed, when none of them is marked yet.
  const openFirst = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void => {
    const box = currentTarget.closest('[role="dialog"]')
    if (key !== 'Enter' || box?.querySelector('[data-selected]') !== null) return
    box.querySelector<HTMLElement>('[data-action]')?.click()
  }
  const isEmpty = hits.length === 0 && pages.length === 0 && !isFetching
  return (
    <Spotlight.Root store={store} query={text} onQueryChange={setText} shortcut="mod+K" clearQueryOnClose>
      <Spotlight.Search placeholder={say('searchLong')} aria-label={say('search')} onKeyDown={openFirst} />
      <Spotlight.ActionsList>
        {hits.map(({ to, title, detail }) => (
          <Spotlight.Action key={to} label={title} description={detail} onClick={() => void navigate({ to })} />
        ))}
        {pages.map(({ to, words }) => (
          <Spotlight.Action
            key={to}
            label={say(words)}
            description={say('page')}
            onClick={() => void navigate({ to })}
          />
        ))}
        {isEmpty ? <Spotlight.Empty>{say('nothingFound')}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
