import { TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { unreadQuery } from '../data/queries.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { Button } from '../design/press.tsx'
import { useCurrentInSight } from '../design/scroll.ts'
import { phone, plain } from '../words/formats.ts'
import { formats, messageWords, useWords } from '../words/words.ts'
import { type Conversation, conversationsQuery, wayOf } from './conversations.ts'
import classes from './messages.module.css'
import { type MessagesSearch, SHOWS, type Show } from './messages-search.ts'

/** Conversations by their newest message, and what of them is shown. */
export function ConversationList() {
  const say = useWords('messages')
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as MessagesSearch
  const { data, isPending, isFetchingNextPage, hasNextPage, fetchNextPage } = useInfiniteQuery(
    conversationsQuery(search),
  )
  const rows = data?.pages.flat() ?? []
  const look = (next: MessagesSearch) => void navigate({ to: '.', search: next, replace: true })
  return (
    <nav className={classes.list} aria-label={say('conversations')}>
      <div className={classes.filters}>
        <Filters search={search} />
        <TextInput
          aria-label={say('search')}
          placeholder={say('search')}
          value={search.search ?? ''}
          onChange={({ currentTarget: { value } }) => look({ ...search, search: value })}
        />
      </div>
      <ul className={classes.rows}>
        {rows.map((each) => (
          <li key={each.id}>
            <ConversationRow conversation={each} search={search} />
          </li>
        ))}
      </ul>
      {rows.length === 0 && !isPending ? <NothingHere search={search} /> : null}
      {hasNextPage ? (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {say('earlierConversations')}
        </Button>
      ) : null}
    </nav>
  )
}

const NAMES = {
  open: 'showOpen',
  unread: 'showUnread',
  failed: 'showFailed',
  mine: 'showMine',
  all: 'showAll',
} as const

function Filters({ search: { show = 'open', ...search } }: { search: MessagesSearch }) {
  const say = useWords('messages')
  const { data: counts } = useQuery(unreadQuery())
  const row = useCurrentInSight<HTMLDivElement>([show])
  // They are counted over all conversations, and say nothing of those that are found.
  const isSearch = search.search !== undefined && search.search !== ''
  return (
    <div ref={row} className={classes.shows}>
      {SHOWS.map((each: Show) => (
        <Link
          key={each}
          to="."
          search={each === 'open' ? search : { ...search, show: each }}
          replace
          className={classes.show}
          activeOptions={{ exact: true }}
          aria-current={each === show ? 'true' : undefined}
        >
          {say(NAMES[each])} {each === 'all' || isSearch ? '' : <Waiting count={counts?.[each] ?? 0} />}
        </Link>
      ))}
    </div>
  )
}

/** The service counts so far. */
const COUNTED_MAX = 99

function Waiting({ count }: { count: number }) {
  if (count === 0) return null
  return <span className="number">{count < COUNTED_MAX ? count : `${COUNTED_MAX}+`}</span>
}

function NothingHere({ search: { show = 'open', search } }: { search: MessagesSearch }) {
  const say = useWords('messages')
  if (search !== undefined) return <EmptyState title={say('noneFits')} />
  return show === 'open' || show === 'all' ? (
    <EmptyState title={say('empty')} />
  ) : (
    <EmptyState title={say('noneWaits')} />
  )
}

function ConversationRow({ conversation, search }: { conversation: Conversation; search: MessagesSearch }) {
  const say = useWords('messages')
  const { channel, ours, theirs, partner, last, unread, failed, assigned } = conversation
  const text = messageWords(last.body ?? '') || (last.num_media > 0 ? say('media', { count: last.num_media }) : '')
  return (
    <Link
      to="/messages/$channel/$ours/$theirs"
      params={{ channel, ours, theirs }}
      search={search}
      className={classes.conversation}
      data-unread={unread > 0 || undefined}
    >
      <span className={classes.line}>
        <strong className={classes.who}>{phone(partner === null ? theirs : partner[1])}</strong>
        <time className={classes.when} dateTime={formats.exact(last.create_date)}>
          {formats.time(last.create_date)}
        </time>
      </span>
      <span className={classes.line}>
        <span className={classes.preview}>
          {last.direction === 'outgoing' ? '→ ' : ''}
          {plain(text)}
        </span>
        {failed > 0 ? <span className={classes.broken}>✕ {say('failedBadge')}</span> : null}
        {unread > 0 ? (
          <span className={classes.badge} title={say('unread', { count: unread })}>
            {unread}
            <span className="sr-only"> {say('unreadBadge')}</span>
          </span>
        ) : null}
      </span>
      <span className={classes.below}>
        {wayOf(conversation)}
        {assigned === null ? '' : ` · ${plain(assigned[1])}`}
      </span>
    </Link>
  )
}
