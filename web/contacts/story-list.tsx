import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Link as RecordLink } from '../data/models.gen.ts'
import { throwsInstead } from '../data/queries.ts'
import { readsAll } from '../data/reads-all.ts'
import { type Me, useMe } from '../data/session.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { Button } from '../design/press.tsx'
import type { CallRow } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { HearCall } from '../lines/hear-call.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { isUnsaid } from '../lines/outcome-signs.ts'
import { textOf } from '../records/field-text.tsx'
import { PostText } from '../records/post-text.tsx'
import { TextLine } from '../records/text-line.tsx'
import type { Keys } from '../words/keys.ts'
import { stageName } from '../words/labels.ts'
import { formats, messageWords, named, quoted, reader, useWords } from '../words/words.ts'
import { zoneName } from '../words/zones.ts'
import classes from './contact.module.css'
import type { Tab } from './contacts-search.ts'
import { MODELS_OF, type StoryEntry, storyQuery } from './story-data.ts'

/** The newest first; each row leads to what it is about. */
export function StoryList({ id, tab }: { id: number; tab: Tab | undefined }) {
  const say = useWords('contacts')
  const me = useMe()
  const { data, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...storyQuery(id, tab),
    throwOnError: throwsInstead,
  })
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  if (isPending) return null
  if (entries.length === 0) return <EmptyState title={say(noneKey(me, tab))} />
  return (
    <>
      <ol className={classes.story}>
        {entries.map((entry) => (
          <li key={`${entry.model} ${entry.id}`}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
      {hasNextPage ? (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {say('older')}
        </Button>
      ) : null}
    </>
  )
}

/** There may be more than somebody sees who reads a part. */
function noneKey(me: Me, tab: Tab | undefined): Keys['contacts'] {
  if (tab === undefined) return readsAll(me, MODELS_OF.calls) ? 'noStory' : 'noStoryOfYours'
  return readsAll(me, MODELS_OF[tab]) ? 'none' : 'noneOfYours'
}

function Entry({ entry }: { entry: StoryEntry }) {
  const { model, id, at, values } = entry
  const when = <When at={at} />
  switch (model) {
    case 'connect.call':
      return <CallEntry id={id} values={values} when={when} />
    case 'connect.message':
      return <MessageEntry values={values} when={when} />
    case 'helpdesk.ticket':
      return (
        <Link to="/tickets/$id" params={{ id: String(id) }} className={classes.entry}>
          {when}
          <span>☐</span>
          <span className={classes.words}>
            #{id} {text(values.name)} · <span className="dim">{stageName(linked(values.stage_id))}</span>
          </span>
        </Link>
      )
    case 'calendar.event':
      return <MeetingEntry id={id} values={values} madeAt={at} />
    default:
      return (
        <div className={classes.entry}>
          {when}
          <span>✎</span>
          <div className={classes.words}>
            <PostText html={text(values.body)} /> <span className="dim">{linked(values.author_id)}</span>
          </div>
        </div>
      )
  }
}

function When({ at }: { at: string }) {
  return (
    <time className="number dim" dateTime={formats.exact(at)}>
      {formats.time(at)}
    </time>
  )
}

/** Begins with the time of the meeting; when it was made, by which it stands where it does, comes last. */
function MeetingEntry({ id, values, madeAt }: { id: number; values: StoryEntry['values']; madeAt: string }) {
  const say = useWords('contacts')
  const { zone, language } = reader()
  return (
    <Link to={`/records/calendar.event/${id}`} className={classes.entry}>
      <When at={String(values.start)} />
      <span>▦</span>
      <span className={classes.words}>
        {text(values.name)} ·{' '}
        <span className="dim">
          {zoneName(zone, language)} · {say('meetingMade', { time: formats.time(madeAt) })}
        </span>
      </span>
    </Link>
  )
}

function CallEntry({ id, values, when }: { id: number; values: StoryEntry['values']; when: ReactNode }) {
  const call = { ...values, id } as unknown as CallRow & { id: number }
  const summary = text(values.voiceai_summary) || textOf(text(values.summary))
  const say = useWords('lines')
  const [isOpen, setOpen] = useState(false)
  const entry = (
    <Link to="/calls/$id" params={{ id: String(id) }} className={classes.entry}>
      {when}
      <DirectionSign direction={call.direction} />
      <span className={classes.words}>
        <span className={classes.line}>
          <Outcome call={call} />
          <CallStripOf call={call} />
          <span className="number">{formats.duration(call.duration ?? 0)}</span>
        </span>
        {summary === '' ? null : <span className={classes.summary}>{quoted(summary)}</span>}
      </span>
    </Link>
  )
  if (isUnsaid(call)) return entry
  return (
    <>
      {entry}
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.hear}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {say(isOpen ? 'closeCall' : 'hearCall')}
      </Button>
      {isOpen ? <HearCall id={id} second={0} /> : null}
    </>
  )
}

function MessageEntry({ values, when }: { values: StoryEntry['values']; when: ReactNode }) {
  const isOurs = values.direction === 'outgoing'
  const channel = values.message_type === 'WhatsApp' ? 'WhatsApp' : 'sms'
  const [ours, theirs] = isOurs ? [values.from_number, values.to_number] : [values.to_number, values.from_number]
  const bare = (number: unknown) => text(number).replace(/^whatsapp:/, '')
  const say = useWords('records')
  const line = {
    channel,
    direction: text(values.direction),
    status: text(values.status),
    error_code: text(values.error_code),
    error_message: text(values.error_message),
  } as const
  return (
    <Link
      to="/messages/$channel/$ours/$theirs"
      params={{ channel, ours: bare(ours), theirs: bare(theirs) }}
      className={classes.entry}
    >
      {when}
      <span>✉</span>
      <span className={classes.words}>
        {quoted(messageWords(text(values.body)))}{' '}
        <span className="dim">
          {isOurs ? `${linked(values.sender_user) || say('automatic')} · ` : ''}
          <TextLine text={{ ...line, theirs: bare(theirs) }} />
        </span>
      </span>
    </Link>
  )
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function linked(value: unknown): string {
  return Array.isArray(value) ? named((value as RecordLink)[1]) : ''
}
