import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { listQuery } from '../data/queries.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { PageHead } from '../design/page-head.tsx'
import { phone, plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import { ContactPane } from './contact-pane.tsx'
import { type Conversation, conversationsOf, type MessageRow } from './conversations.ts'
import { MESSAGE_FIELDS } from './message-fields.ts'
import classes from './messages.module.css'
import { Thread } from './thread.tsx'

/** Conversations are made of the newest messages; older ones are found on the contact. */
const MESSAGES_MAX = 500
const LOOK_AGAIN_MS = 5_000

interface Params {
  channel?: string
  ours?: string
  theirs?: string
}

/** Text messages in three panes: with whom, what was written, and who that is. */
export function MessagesPage() {
  const say = useWords('messages')
  const { channel, ours, theirs } = useParams({ strict: false }) as Params
  const { data = [], isPending } = useQuery({
    ...listQuery('connect.message', { fields: MESSAGE_FIELDS, order: 'id desc', limit: MESSAGES_MAX }),
    refetchInterval: LOOK_AGAIN_MS,
  })
  const conversations = conversationsOf(data as MessageRow[])
  const isOpen = (each: Conversation) => each.channel === channel && each.ours === ours && each.theirs === theirs
  const open = conversations.find(isOpen)
  return (
    <>
      <PageHead title={say('title')} />
      <div className={classes.panes} data-open={open !== undefined || undefined}>
        <nav className={classes.list} aria-label={say('conversations')}>
          {conversations.length === 0 && !isPending ? <EmptyState title={say('empty')} /> : null}
          {conversations.map((each) => (
            <Link
              key={[each.channel, each.ours, each.theirs].join(' ')}
              to="/messages/$channel/$ours/$theirs"
              params={{ channel: each.channel, ours: each.ours, theirs: each.theirs }}
              className={classes.conversation}
            >
              <span className={classes.line}>
                <strong>{each.partner === null ? phone(each.theirs) : plain(each.partner[1])}</strong>
                <span className="dim">{each.last.create_date === null ? '' : formats.time(each.last.create_date)}</span>
              </span>
              <span className={classes.preview}>
                {each.channel} · {each.last.body}
              </span>
            </Link>
          ))}
        </nav>
        {open === undefined ? <EmptyState title={say('choose')} /> : <Thread conversation={open} />}
        {open === undefined ? null : <ContactPane conversation={open} />}
      </div>
    </>
  )
}
