import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Link as RecordLink } from '../data/models.gen.ts'
import { mayChangeCall } from '../data/own-records.ts'
import { listQuery } from '../data/queries.ts'
import { GROUP, type Me, mayDo, useIsInOne, useMe } from '../data/session.ts'
import { Copyable } from '../design/copyable.tsx'
import type { Heard } from '../lines/call-queries.ts'
import { type EndedCall, isUnsaid } from '../lines/outcome-signs.ts'
import { whyQuery } from '../lines/why-query.ts'
import { Chatter } from '../records/chatter.tsx'
import { duration, party, phone, plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { labelOf } from '../words/labels.ts'
import { money } from '../words/money.ts'
import { formats, reader, useWords } from '../words/words.ts'
import classes from './call.module.css'
import { CallJudged, type JudgedCall } from './call-judged.tsx'
import { useLegs } from './legs-of-call.ts'
import { Summary } from './summary.tsx'

interface AboutCall extends JudgedCall, EndedCall {
  id: number
  direction: string | null
  caller_user: RecordLink | null
  answered_user: RecordLink | null
  called_users: readonly number[]
  partner: RecordLink | null
  ticket: RecordLink | null
  voiceai_agent: RecordLink | null
  call_sid: string | null
  voiceai_conversation_id: string | null
  voiceai_summary: string | null
  summary: string | null
  price: number | null
  price_currency: string | null
  caller_name: string | null
  caller_verification: string | null
  forwarded_from: string | null
  conversation_result?: string | null
  ai_announcement: 'played' | 'not_played' | null
}

const LEG_WORDS = {
  queued: 'legQueued',
  initiated: 'legInitiated',
  ringing: 'legRinging',
  'in-progress': 'legTalking',
  completed: 'legCompleted',
  busy: 'legBusy',
  failed: 'legFailed',
  'no-answer': 'legNoAnswer',
  canceled: 'legCanceled',
} as const
/** How the platform judges a conversation; only its own judgement says that something is solved. */
const RESULTS: Readonly<Record<string, Keys['calls']>> = { success: 'resultSuccess', failure: 'resultFailure' }
const MEETINGS_MAX = 10
const ID_CHARS = 8
const MS_PER_SECOND = 1_000

/** Where nobody spoke there is nothing to sum up. */
function maySumUp(me: Me, call: AboutCall): boolean {
  return mayChangeCall(me, call) && (hasSummary(call) || !isUnsaid(call))
}

/** What the network calls somebody who calls us. In a call of ours the name is of the person who is called, for our phone to show. */
function callerNameOf({ direction, caller_name: name }: AboutCall): string {
  return direction === 'incoming' ? plain(name ?? '') : ''
}

function hasSummary({ summary, voiceai_summary: said }: AboutCall): boolean {
  return Boolean(summary || said)
}

/** Whom and what a call is about, what was promised, its legs and recordings, and the provider's names of it. */
export function CallAbout({ call, audio }: { call: AboutCall; audio: readonly Heard[] }) {
  const say = useWords('calls')
  const isHelpdesk = useIsInOne(GROUP.helpdeskUser, GROUP.helpdeskManager)
  const me = useMe()
  const mayWrite = mayChangeCall(me, call)
  const legs = useLegs(call.id)
  const { data: meetings = [] } = useQuery({
    ...listQuery('calendar.event', {
      domain: [['made_in_call', '=', call.id]],
      fields: ['name', 'start'],
      order: 'id',
      limit: MEETINGS_MAX,
    }),
    enabled: mayDo(me, 'calendar.event', 'r'),
  })
  return (
    <aside className={classes.about} aria-label={say('about')}>
      <dl>
        {row(say('contact'), call.partner && <Link to={`/contacts/${call.partner[0]}`}>{plain(call.partner[1])}</Link>)}
        {row(say('callerName'), callerNameOf(call))}
        {row(say('callerVerified'), call.caller_verification && labelOf(call.caller_verification))}
        {row(say('forwardedFrom'), call.forwarded_from && phone(call.forwarded_from))}
        {row(say('ticket'), call.ticket && ticketOf(call.ticket, isHelpdesk))}
        {meetings.map(({ id, name, start }) => (
          <Row key={id} name={say('meeting')}>
            {plain(name ?? '')} {start === null ? '' : formats.time(start)}
          </Row>
        ))}
        {row(say('agent'), call.voiceai_agent && plain(call.voiceai_agent[1]))}
        {row(
          say('platformSays'),
          call.conversation_result && say(RESULTS[call.conversation_result] ?? 'resultUnknown'),
        )}
        {row(
          say('announcement'),
          call.ai_announcement && say(call.ai_announcement === 'played' ? 'announced' : 'notAnnounced'),
        )}
        <CallJudged call={call} />
        <SummaryRow call={call} />
        <Promises id={call.id} />
        {legs.map((leg, at) => (
          <Row key={leg.id} name={at === 0 ? say('legs') : ''}>
            <Link to={`/records/connect.channel/${leg.id}`}>
              {party(leg.caller_number ?? '?')} → {phone(leg.called_number ?? '?')}
            </Link>{' '}
            <span className="dim">
              {leg.status === null ? '' : say(LEG_WORDS[isTalking(call, at) ? 'in-progress' : leg.status])}{' '}
              {formats.duration(leg.duration ?? 0)}
            </span>
          </Row>
        ))}
        {audio.map(({ ref, from_ms: from, to_ms: to, address }, at) => (
          <Row key={String(ref)} name={at === 0 ? say('recordings') : ''}>
            {address === null ? (
              <span className="dim">{duration((to - from) / MS_PER_SECOND)}</span>
            ) : (
              <a href={address} download>
                {duration((to - from) / MS_PER_SECOND)}
              </a>
            )}
          </Row>
        ))}
        {row(
          say('price'),
          call.price === null ? null : money(call.price, call.price_currency ?? '', reader().language),
        )}
        <ProviderIds call={call} />
      </dl>
      <Chatter model="connect.call" id={call.id} mayPost={mayWrite} />
    </aside>
  )
}

/** No heading without a word below it. */
function SummaryRow({ call }: { call: AboutCall }) {
  const say = useWords('calls')
  const mayWrite = maySumUp(useMe(), call)
  if (!hasSummary(call) && !mayWrite) return null
  return (
    <Row name={say('summary')}>
      <Summary call={call} mayWrite={mayWrite} />
    </Row>
  )
}

/** By these an administrator finds the call at the providers. */
function ProviderIds({ call }: { call: AboutCall }) {
  const say = useWords('calls')
  if (!useIsInOne(GROUP.connectAdmin)) return null
  return (
    <>
      {row(say('callSid'), idOf(call.call_sid, say('callSid')))}
      {row(say('conversation'), idOf(call.voiceai_conversation_id, say('conversation')))}
    </>
  )
}

/** Our own answer connected the caller's own leg, which the provider reports late or not at all. */
function isTalking({ outcome, answered_at: answered }: AboutCall, at: number): boolean {
  return outcome === 'in_progress' && answered !== null && at === 0
}

/** What the agent said it did, against what its tools did. */
function Promises({ id }: { id: number }) {
  const say = useWords('calls')
  const { data: why } = useQuery(whyQuery(id))
  if (why === undefined || why.promises.length === 0) return null
  const names: Readonly<Record<string, string>> = {
    ticket: say('promisedTicket'),
    visit: say('promisedVisit'),
    transfer: say('promisedTransfer'),
    callback: say('promisedCallback'),
  }
  return (
    <Row name={say('promises')}>
      {why.promises.map(({ kind, is_kept: isKept }) => (
        <span key={kind} className={classes.promise} data-kept={isKept}>
          {isKept ? '✓' : '✕'} {names[kind] ?? kind} <span className="sr-only">{say(isKept ? 'kept' : 'notKept')}</span>
        </span>
      ))}
    </Row>
  )
}

function idOf(text: string | null, label: string): ReactNode {
  return text === null ? null : <Copyable text={text} label={label} shown={`${text.slice(0, ID_CHARS)}…`} />
}

function ticketOf([id, name]: RecordLink, isHelpdesk: boolean): ReactNode {
  return isHelpdesk ? <Link to={`/tickets/${id}`}>{`#${id} ${plain(name)}`}</Link> : `#${id}`
}

function row(name: string, value: ReactNode): ReactNode {
  return value === null || value === '' ? null : <Row name={name}>{value}</Row>
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
