import { SegmentedControl, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { call, callByName } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { asks, keyOf, keysOf } from '../data/keys.ts'
import type { Link } from '../data/models.gen.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { useKeys } from '../design/keys.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { FileArea } from '../files/file-area.tsx'
import { PostFiles } from '../files/post-files.tsx'
import { useFiles } from '../files/use-files.ts'
import { PostText } from '../records/post-text.tsx'
import { noteOf, type Post } from '../records/posts.ts'
import { SendingObstacle } from '../records/sending-obstacle.tsx'
import { TextLine } from '../records/text-line.tsx'
import { isWithheld, phone } from '../words/formats.ts'
import { formats, named, useWords } from '../words/words.ts'
import classes from './ticket.module.css'
import { TicketChanges, TicketCreated } from './ticket-events.tsx'

const POSTS_MAX = 200
const SMS_CHARS_MAX = 1_600

/** What is written to the ticket, and whether it goes to the caller. */
interface Draft {
  kind: 'note' | 'sms'
  text: string
}
const NOTHING: Draft = { kind: 'note', text: '' }

interface Props {
  ticket: {
    id: number
    create_date: string | null
    create_uid: Link | null
    partner_phone: string | null
    closed_at: string | null
  }
}

function postsOf(id: number) {
  return asks({
    queryKey: keyOf('helpdesk.ticket', 'ticket-posts', id),
    queryFn: async () =>
      (await callByName('helpdesk.ticket', 'message_list', { ids: [id], limit: POSTS_MAX })) as Post[],
  })
}

/** What agents, people and changes did with a ticket, oldest first, and a box to go on. */
export function TicketStory({ ticket }: Props) {
  const say = useWords('tickets')
  const { data: posts = [] } = useQuery(postsOf(ticket.id))
  return (
    <section className={classes.story} aria-label={say('story')}>
      <h2>{say('story')}</h2>
      <ol className={classes.posts}>
        {ticket.create_date === null ? null : (
          <li className={classes.event}>
            <time className="number dim">{formats.time(ticket.create_date)}</time> <TicketCreated ticket={ticket} />
          </li>
        )}
        {posts.toReversed().map((post) => (
          <li key={post.id}>
            <PostItem post={post} />
          </li>
        ))}
      </ol>
      <Answer key={ticket.id} ticket={ticket} />
    </section>
  )
}

function PostItem({ post }: { post: Post }) {
  const say = useWords('tickets')
  return (
    <article className={classes.post} data-text={post.text_message?.direction ?? undefined}>
      <p className={classes.meta}>
        <time className="number" dateTime={formats.exact(post.date)}>
          {formats.time(post.date)}
        </time>{' '}
        {named(post.author ?? say('service'))}
        {post.text_message === null ? null : (
          <>
            {' · '}
            <TextLine text={post.text_message} />
          </>
        )}
      </p>
      {post.changes === null ? (
        <PostText html={post.body ?? ''} />
      ) : (
        <TicketChanges author={post.author} changes={post.changes} />
      )}
      <PostFiles files={post.attachments} />
    </article>
  )
}

/** Nobody can be written to at a withheld number. */
function writtenTo(phone: string | null): string | null {
  return isWithheld(phone) ? null : phone
}

/** A note without a text is none yet. */
function draftOf(kind: Draft['kind'], text: string): Draft | undefined {
  return kind === 'note' && text === '' ? undefined : { kind, text }
}

function Answer({ ticket }: Props) {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const writes = useIsInOne(GROUP.connectUser, GROUP.connectAdmin)
  const number = writtenTo(ticket.partner_phone)
  const place = { model: 'helpdesk.ticket', id: ticket.id, field: 'answer' }
  const [{ kind, text } = NOTHING, setDraft] = useDraft<Draft>(place)
  const files = useFiles(place)
  const [problem, setProblem] = useProblem('')
  const box = useRef<HTMLTextAreaElement>(null)
  useKeys(useMemo(() => ({ n: () => box.current?.focus() }), []))
  const send = async (): Promise<void> => {
    try {
      if (kind === 'sms' && number !== null) {
        const about = { res_model: 'helpdesk.ticket', res_id: ticket.id }
        await call('connect.message', 'send', { to: number, body: text, message_type: 'sms', ...about })
      } else await callByName('helpdesk.ticket', 'message_post', noteOf(ticket.id, text, files.ids))
      // What was typed meanwhile stays, as a note: nobody sends twice what they meant to be one text.
      setDraft((now) => (now?.text === text ? undefined : draftOf('note', now?.text ?? '')))
      if (kind === 'note') files.takeOff(files.ids)
      setProblem('')
      await queries.invalidateQueries({ queryKey: keysOf('helpdesk.ticket', 'ticket-posts', ticket.id) })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  const label = kind === 'sms' ? say('writeSms', { number: phone(number ?? '') }) : say('writeNote')
  const written = (
    <Textarea
      ref={box}
      aria-label={label}
      placeholder={label}
      autosize
      minRows={2}
      maxRows={10}
      {...(kind === 'sms' ? { maxLength: SMS_CHARS_MAX } : {})}
      value={text}
      error={problem || undefined}
      onChange={({ currentTarget: { value } }) => setDraft(draftOf(kind, value))}
    />
  )
  const hasFiles = kind === 'note' && files.ids.length > 0
  const isUnready = kind === 'note' && !files.isReady
  const button = (
    <Button type="submit" disabled={isUnready || (text.trim() === '' && !hasFiles)}>
      {kind === 'sms' ? say('send') : say('post')}
    </Button>
  )
  return (
    <Form className={classes.answer} onSubmit={send}>
      {writes && number !== null ? (
        <SegmentedControl
          aria-label={say('answerAs')}
          data={[
            { value: 'note', label: say('note') },
            { value: 'sms', label: say('replySms', { number: phone(number) }) },
          ]}
          value={kind}
          onChange={(value) => setDraft(draftOf(value === 'sms' ? value : 'note', text))}
        />
      ) : null}
      {kind === 'sms' ? (
        <>
          <SendingObstacle receiver={{ to: number, channel: 'sms' }} />
          {written}
          {button}
        </>
      ) : (
        <FileArea files={files} actions={button}>
          {written}
        </FileArea>
      )}
    </Form>
  )
}
