import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { GROUP, mayDo, useIsInOne, useMe } from '../data/session.ts'
import { holds } from '../words/folded.ts'
import { useWords } from '../words/words.ts'
import { CallHit, useCallHits } from './call-hit.tsx'
import type { EarlyKeys } from './early-keys.ts'
import { hitWords } from './hit-words.ts'
import { conversationPage, MessageHit, useMessageHits } from './message-hit.tsx'
import { entriesFor } from './nav.ts'
import { useNumberOffers } from './number-offers.ts'
import { type Hit, pageOf, searchQuery } from './search-query.ts'

const [store, spotlight] = createSpotlight()

let early: EarlyKeys | undefined

/** Opens the box with what was typed for it until then. */
export function openBox(typed: EarlyKeys): void {
  early?.take()
  early = typed
  spotlight.open()
}

/** What can be made from anywhere. */
const NEW = [
  { model: 'helpdesk.ticket', words: 'newTicket' },
  { model: 'res.partner', words: 'newContact' },
] as const

/** Finds records of every kind by any text, every page by its name, and what can be made. */
export function SearchBox() {
  const say = useWords('shell')
  const me = useMe()
  const hasTickets = useIsInOne(GROUP.helpdeskUser, GROUP.helpdeskManager)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const isWaiting = useRef(false)
  const wanted = text.trim()
  const { data: found = [], isFetching } = useQuery(searchQuery(wanted))
  const hits = wanted === '' ? [] : found
  const calls = useCallHits(idsOf(hits, 'connect.call'))
  const messages = useMessageHits(idsOf(hits, 'connect.message'))
  const offers = useNumberOffers(wanted)
  const addressOf = (hit: Hit): string => {
    const message = hit.model === 'connect.message' ? messages.get(hit.id) : undefined
    return message === undefined ? pageOf(hit) : conversationPage(message)
  }
  const fits = (words: string) => holds(words, wanted)
  const commands = [
    ...entriesFor(me).map(({ to, words }) => ({ to, label: say(words), detail: say('page') })),
    ...NEW.filter(({ model }) => mayDo(me, model, 'c')).map(({ model, words }) => ({
      to: `/records/${model}/new`,
      label: say(words),
      detail: say('command'),
    })),
  ].filter(({ label }) => fits(label))
  // Who can look into tickets has not looked everywhere yet.
  const isNothing = hits.length === 0 && commands.length === 0 && offers.length === 0
  const isEmpty = isNothing && !isFetching && (!hasTickets || wanted === '')
  // Hits come after the text was typed, when none of them is marked yet.
  const openFirst = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void => {
    const box = currentTarget.closest('[role="dialog"]')
    if (key !== 'Enter' || box?.querySelector('[data-selected]') !== null) return
    if (isFetching) isWaiting.current = true
    else box.querySelector<HTMLElement>('[data-action]')?.click()
  }
  const takeEarly = (): void => {
    const typed = early?.take()
    early = undefined
    if (typed === undefined || typed.text === '') return
    setText((now) => typed.text + now)
    isWaiting.current = typed.isEntered
  }
  const first = hits[0]
  if (isWaiting.current && !isFetching && first !== undefined) {
    isWaiting.current = false
    queueMicrotask(() => {
      spotlight.close()
      void navigate({ to: addressOf(first) })
    })
  }
  return (
    <Spotlight.Root store={store} query={text} onQueryChange={setText} shortcut="mod+K" clearQueryOnClose>
      <Spotlight.Search
        placeholder={say('searchLong')}
        aria-label={say('search')}
        onFocus={takeEarly}
        onKeyDown={openFirst}
      />
      <Spotlight.ActionsList>
        {hits.map((hit) => {
          const call = hit.model === 'connect.call' ? calls.get(hit.id) : undefined
          const message = hit.model === 'connect.message' ? messages.get(hit.id) : undefined
          const seen = message === undefined ? undefined : <MessageHit message={message} />
          const shown = call === undefined ? seen : <CallHit call={call} />
          const words = shown === undefined ? hitWords(hit) : {}
          return (
            <Spotlight.Action key={pageOf(hit)} {...words} onClick={() => void navigate({ to: addressOf(hit) })}>
              {shown}
            </Spotlight.Action>
          )
        })}
        {commands.map(({ to, label, detail }) => (
          <Spotlight.Action key={to} label={label} description={detail} onClick={() => void navigate({ to })} />
        ))}
        {isFetching
          ? null
          : offers.map(({ label, detail, run }) => (
              <Spotlight.Action key={label} label={label} description={detail} onClick={run} />
            ))}
        {/* Not before the hits: what stands there alone is marked, and Enter would take it. */}
        {wanted === '' || isFetching || !hasTickets ? null : (
          <Spotlight.Action
            label={say('searchTickets', { text: wanted })}
            description={say('searchTicketsIn')}
            onClick={() => void navigate({ to: '/tickets', search: { text: wanted } as never })}
          />
        )}
        {isEmpty ? <Spotlight.Empty>{say('nothingFound')}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function idsOf(hits: readonly Hit[], model: string): number[] {
  return hits.flatMap((hit) => (hit.model === model ? [hit.id] : []))
}
