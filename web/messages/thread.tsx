import { Button, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call, type Domain } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { listQuery } from '../data/queries.ts'
import { tellRefusal } from '../design/notices.tsx'
import { phone, plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import { bare, type Conversation, channelOf, type MessageRow } from './conversations.ts'
import { MESSAGE_FIELDS } from './message-fields.ts'
import classes from './messages.module.css'

const MESSAGES_MAX = 200
const LOOK_AGAIN_MS = 5_000
const FAILED = ['failed', 'undelivered']

/** What two numbers wrote each other, and a box for the next message. */
export function Thread({ conversation }: { conversation: Conversation }) {
  const say = useWords('messages')
  const { channel, ours, theirs, partner } = conversation
  const written = (number: string) => (channel === 'WhatsApp' ? [number, `whatsapp:${number}`] : [number])
  const both = [...written(ours), ...written(theirs)]
  const domain: Domain = [
    ['from_number', 'in', both],
    ['to_number', 'in', both],
  ]
  const { data = [] } = useQuery({
    ...listQuery('connect.message', { domain, fields: MESSAGE_FIELDS, order: 'id desc', limit: MESSAGES_MAX }),
    refetchInterval: LOOK_AGAIN_MS,
  })
  const messages = (data as MessageRow[])
    .filter((message) => channelOf(message) === channel && bare(message.from_number) !== '')
    .reverse()
  return (
    <section className={classes.thread} aria-label={say('thread')}>
      <header className={classes.head}>
        <Link to="/messages" className={classes.back}>
          ← {say('conversations')}
        </Link>
        <h2>{partner === null ? phone(theirs) : plain(partner[1])}</h2>
        <span className="dim">
          {channel} · {phone(ours)} → {phone(theirs)}
        </span>
      </header>
      <ol className={classes.messages}>
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ol>
      <Composer conversation={conversation} />
    </section>
  )
}

function Message({ message }: { message: MessageRow }) {
  const say = useWords('messages')
  const queries = useQueryClient()
  const {
    id,
    direction,
    body,
    status,
    create_date: at,
    error_message: error,
    error_code: code,
    num_media: media,
  } = message
  const hasFailed = status !== null && FAILED.includes(status)
  const again = () =>
    call('connect.message', 'retry', { ids: [id] }).then(
      () => queries.invalidateQueries({ queryKey: ['connect.message'] }),
      tellRefusal,
    )
  return (
    <li className={classes.message} data-ours={direction === 'outgoing' || undefined}>
      <p className={classes.text}>{body}</p>
      {media ? <p className="dim">{say('media', { count: media })}</p> : null}
      <p className={classes.meta}>
        {at === null ? '' : formats.time(at)} · {status}
        {message.waits_for === null ? '' : ` · ${message.waits_for}`}
      </p>
      {hasFailed ? (
        <p className={classes.failed}>
          ✕ {plain(error ?? '')} {code === null ? '' : `(${code})`}{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => void again()}>
            {say('tryAgain')}
          </Button>
        </p>
      ) : null}
    </li>
  )
}

function Composer({ conversation: { channel, ours, theirs } }: { conversation: Conversation }) {
  const say = useWords('messages')
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setSending(true)
    try {
      await call('connect.message', 'send', { to: theirs, from: ours, body: text, message_type: channel })
      setText('')
      setProblem('')
      await queries.invalidateQueries({ queryKey: ['connect.message'] })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setSending(false)
  }
  return (
    <form className={classes.composer} onSubmit={(event) => void send(event)}>
      <Textarea
        aria-label={say('write')}
        placeholder={say('write')}
        autosize
        minRows={1}
        maxRows={8}
        value={text}
        error={problem || undefined}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" loading={isSending} disabled={text.trim() === ''}>
        {say('send')}
      </Button>
    </form>
  )
}
