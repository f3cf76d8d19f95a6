import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Link as RecordLink } from '../data/models.gen.ts'
import { listQuery } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { Copyable } from '../design/copyable.tsx'
import { phone, plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './calls.module.css'

interface AboutCall {
  id: number
  partner: RecordLink | null
  ticket: RecordLink | null
  voiceai_agent: RecordLink | null
  call_sid: string | null
  voiceai_conversation_id: string | null
  price: number | null
  price_currency: string | null
}

const LEG_FIELDS = ['caller_number', 'called_number', 'status', 'duration', 'technical_direction'] as const
const LEGS_MAX = 100

/** Whom and what a call is about, and the provider's names of it. */
export function CallAbout({ call }: { call: AboutCall }) {
  const say = useWords('calls')
  const isHelpdesk = useIsInOne(GROUP.helpdeskUser, GROUP.helpdeskManager)
  const domain = [['call', '=', call.id]] as const
  const { data: legs = [] } = useQuery(
    listQuery('connect.channel', { domain, fields: LEG_FIELDS, order: 'id', limit: LEGS_MAX }),
  )
  return (
    <dl className={classes.about}>
      {row(say('contact'), call.partner && <Link to={`/contacts/${call.partner[0]}`}>{plain(call.partner[1])}</Link>)}
      {row(say('ticket'), call.ticket && ticketOf(call.ticket, isHelpdesk))}
      {row(
        say('agent'),
        call.voiceai_agent && (
          <Link to={`/records/connect.voiceai_agent/${call.voiceai_agent[0]}`}>{plain(call.voiceai_agent[1])}</Link>
        ),
      )}
      {row(say('price'), call.price === null ? null : `${call.price} ${call.price_currency ?? ''}`)}
      {row(say('callSid'), call.call_sid && <Copyable text={call.call_sid} label={say('callSid')} />)}
      {row(
        say('conversation'),
        call.voiceai_conversation_id && <Copyable text={call.voiceai_conversation_id} label={say('conversation')} />,
      )}
      {legs.map((leg, at) => (
        <Row key={leg.id} name={at === 0 ? say('legs') : ''}>
          <Link to={`/records/connect.channel/${leg.id}`}>
            {phone(leg.caller_number ?? '?')} → {phone(leg.called_number ?? '?')}
          </Link>{' '}
          {leg.status} {formats.duration(leg.duration ?? 0)}
        </Row>
      ))}
    </dl>
  )
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
