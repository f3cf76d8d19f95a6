import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import type { Link as Linked } from '../data/models.gen.ts'
import { usePresent } from '../data/present.ts'
import { listQuery } from '../data/queries.ts'
import { useSeen } from '../data/use-seen.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { useScroll } from '../design/scroll.ts'
import { phone, plain, readInstant } from '../words/formats.ts'
import { reader, useWords } from '../words/words.ts'
import { Answer } from './answer.tsx'
import { ConversationActions } from './conversation-actions.tsx'
import { type Conversation, type Party, wayOf } from './conversations.ts'
import { MESSAGE_FIELDS, MessageBubble, type MessageRow } from './message-bubble.tsx'
import classes from './messages.module.css'

const MESSAGES_STEP = 100
const MESSAGES_MAX = 2_000

interface Props {
  party: Party
  /** Null while nobody has written in it. */
  conversation: Conversation | null
  /** Whose number it is. */
  partner: Linked | null
}

/** What two numbers wrote each other, and a box for the next message. */
export function Thread({ party, conversation, partner }: Props) {
  const say = useWords('messages')
  const search = useSearch({ strict: false })
  useRead(conversation)
  return (
    <section className={classes.thread} aria-label={say('thread')}>
      <header className={classes.head}>
        <Link to="/messages" search={search} className={classes.back} aria-label={say('back')}>
          ←
        </Link>
        <div className={classes.title}>
          <h2>{partner ? <Link to={`/contacts/${partner[0]}`}>{phone(partner[1])}</Link> : phone(party.theirs)}</h2>
          <p className="dim">
            {wayOf(party)} · {phone(party.theirs)} · {say('fromNumber', { number: phone(party.ours) })}
          </p>
        </div>
        {conversation === null ? null : <ConversationActions conversation={conversation} />}
      </header>
      {conversation === null ? <div className={classes.messages} /> : <Messages id={conversation.id} />}
      <Answering conversation={conversation?.id} />
      <Answer key={[party.channel, party.ours, party.theirs].join(' ')} party={party} conversation={conversation} />
    </section>
  )
}

/** Colleagues who are writing an answer just now. */
function Answering({ conversation }: { conversation: number | undefined }) {
  const say = useWords('messages')
  const names = usePresent('connect.conversation', conversation).map(plain)
  const [name = '', ...others] = names
  const one = others.length === 0 ? say('answering', { name }) : say('answeringMany', { names: names.join(', ') })
  return (
    <p role="status" className={classes.answering} data-empty={name === '' || undefined}>
      {name === '' ? '' : one}
    </p>
  )
}

/** What is open in front of somebody is read; in a tab behind others nobody has read anything. */
function useRead(conversation: Conversation | null): void {
  const queries = useQueryClient()
  const id = conversation?.id
  const newest = conversation?.last.id
  const isUnread = (conversation?.unread ?? 0) > 0
  const isSeen = useSeen()
  useEffect(() => {
    if (id === undefined || newest === undefined || !isUnread || !isSeen) return
    call('connect.conversation', 'mark_read', { ids: [id] }).then(
      () => queries.invalidateQueries({ queryKey: keysOf('connect.message') }),
      tellRefusal,
    )
  }, [id, newest, isUnread, isSeen, queries])
}

function Messages({ id }: { id: number }) {
  const say = useWords('messages')
  const [limit, setLimit] = useState(MESSAGES_STEP)
  const { data = [] } = useQuery(
    listQuery('connect.message', {
      domain: [['conversation', '=', id]],
      fields: MESSAGE_FIELDS,
      order: 'id desc',
      limit,
    }),
  )
  const messages = (data as MessageRow[]).toReversed()
  const newest = messages.at(-1)?.id
  const list = useRef<HTMLOListElement>(null)
  // The newest message is in sight when a conversation is opened and when one comes; earlier ones move nothing.
  useScroll(() => {
    if (newest !== undefined) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [newest])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: anyone who has no mouse scrolls it by keys
    <ol className={classes.messages} ref={list} tabIndex={0} aria-label={say('thread')}>
      {data.length === limit && limit < MESSAGES_MAX ? (
        <li className={classes.earlier}>
          <Button variant="subtle" size="compact-sm" onClick={() => setLimit(limit + MESSAGES_STEP)}>
            {say('earlier')}
          </Button>
        </li>
      ) : null}
      {messages.map((message, at) => (
        <DayAnd key={message.id} message={message} before={messages[at - 1]} />
      ))}
    </ol>
  )
}

function DayAnd({ message, before }: { message: MessageRow; before: MessageRow | undefined }) {
  const day = dayOf(message.create_date)
  return (
    <>
      {day === dayOf(before?.create_date ?? null) ? null : <li className={classes.day}>{day}</li>}
      <MessageBubble message={message} />
    </>
  )
}

function dayOf(at: string | null): string {
  if (at === null) return ''
  const { language, zone } = reader()
  return readInstant(at).toLocaleDateString(language, {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  })
}
