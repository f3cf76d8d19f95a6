import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { call, type Domain } from '../data/client.ts'
import { GoneError } from '../data/errors.ts'
import { asks, keyOf } from '../data/keys.ts'
import { countQuery, oneQuery } from '../data/queries.ts'
import { readsAll } from '../data/reads-all.ts'
import { GROUP, READS_CALLS, useIsInOne, useMe } from '../data/session.ts'
import { useKeys } from '../design/keys.ts'
import { PageHead } from '../design/page-head.tsx'
import { useCurrentInSight } from '../design/scroll.ts'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './contact.module.css'
import { ContactActions } from './contact-actions.tsx'
import { ContactSide } from './contact-side.tsx'
import { type ContactSearch, TABS, type Tab } from './contacts-search.ts'
import { MODELS_OF } from './story-data.ts'
import { StoryList } from './story-list.tsx'
import { TimeThere } from './time-there.tsx'

const FIELDS = [
  ...(['name', 'phone', 'mobile', 'phone_normalized', 'mobile_normalized', 'email', 'parent_id'] as const),
  ...(['comment', 'tz', 'lang', 'country_id', 'is_company', 'is_staff', 'active'] as const),
] as const

/** One contact: how to reach them, and what there was between us. */
export function ContactPage() {
  const say = useWords('contacts')
  const { id: address = '' } = useParams({ strict: false }) as { id?: string }
  const id = Number(address)
  const { tab } = useSearch({ strict: false }) as ContactSearch
  const navigate = useNavigate()
  const row = useCurrentInSight<HTMLElement>([tab])
  const { data: contact } = useSuspenseQuery(oneQuery('res.partner', id, FIELDS))
  useKeys(useMemo(() => ({ Escape: () => void navigate({ to: '/contacts' }) }), [navigate]))
  if (contact === null) return <GoneContact id={id} />
  const title = plain(contact.name ?? `#${id}`)
  return (
    <>
      <PageHead title={title} mark={contact.active === false ? say('archived') : undefined}>
        {contact.parent_id === null ? null : (
          <Link to={`/contacts/${contact.parent_id[0]}`}>{plain(contact.parent_id[1])}</Link>
        )}
        <TimeThere number={contact.phone_normalized ?? contact.mobile_normalized} zone={contact.tz} />
        <ContactActions key={id} contact={contact} />
      </PageHead>
      <div className={classes.page}>
        <div className={classes.main}>
          <nav ref={row} className={classes.tabs} aria-label={say('parts')}>
            <TabLink id={id} current={tab} />
            {TABS.map((each) => (
              <CountedTab key={each} contact={contact} tab={each} current={tab} />
            ))}
          </nav>
          <StoryList key={`${id} ${tab ?? ''}`} id={id} tab={tab} />
        </div>
        <ContactSide key={id} contact={contact} />
      </div>
    </>
  )
}

/** Leads to the contact that this one was merged into; of any other, it says that it is gone. */
function GoneContact({ id }: { id: number }) {
  const say = useWords('contacts')
  const { data } = useSuspenseQuery(
    asks({
      queryKey: keyOf('res.partner', 'merged-into', id),
      queryFn: () =>
        Number.isSafeInteger(id) ? call('res.partner', 'merged_into', { id }) : { merged: false, into: null },
    }),
  )
  if (data.into === null) throw new GoneError(say(data.merged ? 'mergedAway' : 'gone'))
  return <Navigate to="/contacts/$id" params={{ id: String(data.into) }} replace />
}

const LINKS = { calls: 'partner', messages: 'partner', tickets: 'partner_id', meetings: 'partner_ids' } as const
/** What there was with a number before its contact was saved: the story tells it too. */
const UNLINKED: Partial<Record<Tab, (numbers: readonly unknown[]) => Domain>> = {
  calls: (numbers) => [
    ...(['&', ['partner', '=', false], '|'] as const),
    ...(['&', ['direction', '=', 'incoming'], ['caller', 'in', numbers]] as const),
    ...(['&', ['direction', '=', 'outgoing'], ['called', 'in', numbers]] as const),
  ],
  messages: (numbers) => ['&', ['partner', '=', false], ['conversation.theirs', 'in', numbers]],
}
const READERS = {
  calls: READS_CALLS,
  messages: [GROUP.connectUser, GROUP.connectAdmin],
  tickets: [GROUP.helpdeskUser, GROUP.helpdeskManager],
  meetings: [GROUP.connectUser, GROUP.connectAdmin],
} as const

interface CountedProps {
  contact: { id: number; phone_normalized: string | null; mobile_normalized: string | null }
  tab: Tab
  current: Tab | undefined
}

/** Counted only for somebody who reads all of it: 0 calls would be false beside a note of a call that others see. */
function CountedTab({ contact: { id, ...contact }, tab, current }: CountedProps) {
  const isReader = useIsInOne(...READERS[tab])
  const isCounted = readsAll(useMe(), MODELS_OF[tab]) && isReader
  const domain = [[LINKS[tab], tab === 'meetings' ? 'in' : '=', tab === 'meetings' ? [id] : id]] as const
  const { data: linked } = useQuery({ ...countQuery(MODELS_OF[tab], { domain }), enabled: isCounted })
  const numbers = [contact.phone_normalized, contact.mobile_normalized].filter((each) => each?.startsWith('+') === true)
  const unlinked = numbers.length === 0 ? undefined : UNLINKED[tab]?.(numbers)
  const { data: earlier = 0 } = useQuery({
    ...countQuery(MODELS_OF[tab], { domain: unlinked ?? [] }),
    enabled: isCounted && unlinked !== undefined,
  })
  const count = linked === undefined ? undefined : linked + earlier
  return isReader ? <TabLink id={id} tab={tab} current={current} count={count} /> : null
}

interface TabProps {
  id: number
  tab?: Tab
  current: Tab | undefined
  count?: number | undefined
}

function TabLink({ id, tab, current, count }: TabProps) {
  const say = useWords('contacts')
  return (
    <Link
      to="/contacts/$id"
      params={{ id: String(id) }}
      search={(tab === undefined ? {} : { tab }) as never}
      className={classes.tab}
      activeOptions={{ exact: true }}
      aria-current={tab === current ? 'page' : undefined}
    >
      {tab === undefined ? say('story') : say(tab)}{' '}
      {count === undefined ? null : <span className="dim">{formats.count(count)}</span>}
    </Link>
  )
}
