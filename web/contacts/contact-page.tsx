import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../data/errors.ts'
import { listQuery, oneQuery } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { PageHead } from '../design/page-head.tsx'
import { CALL_FIELDS } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Chatter } from '../records/chatter.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './contacts.module.css'

const FIELDS = ['name', 'phone', 'mobile', 'email', 'parent_id', 'comment', 'tz', 'lang'] as const
const STORY_MAX = 20

/** One contact: how to reach them, and what there was between us. */
export function ContactPage() {
  const say = useWords('contacts')
  const { id: address = '' } = useParams({ strict: false }) as { id?: string }
  const id = Number(address)
  const { data: contact } = useSuspenseQuery(oneQuery('res.partner', id, FIELDS))
  const seesCalls = useIsInOne(GROUP.connectUser, GROUP.connectAdmin)
  const seesTickets = useIsInOne(GROUP.helpdeskUser, GROUP.helpdeskManager)
  if (contact === null) throw new ApiError(404, say('gone'))
  return (
    <>
      <PageHead title={plain(contact.name ?? `#${id}`)}>
        <Link to={`/records/res.partner/${id}`}>{say('edit')}</Link>
      </PageHead>
      <div className={classes.page}>
        <dl className={classes.facts}>
          <Fact name={say('phone')} value={contact.phone} />
          <Fact name={say('mobile')} value={contact.mobile} />
          <Fact name={say('email')} value={contact.email} />
          <Fact name={say('company')} value={contact.parent_id?.[1] ?? null} />
          <Fact name={say('zone')} value={contact.tz} />
          <Fact name={say('language')} value={contact.lang} />
          <Fact name={say('notes')} value={contact.comment} />
        </dl>
        {seesCalls ? <Calls id={id} /> : null}
        {seesTickets ? <Tickets id={id} /> : null}
        {seesCalls ? <Messages id={id} /> : null}
        <Chatter model="res.partner" id={id} />
      </div>
    </>
  )
}

function Fact({ name, value }: { name: string; value: string | null }) {
  if (value === null || value === '') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{plain(value)}</dd>
    </>
  )
}

function Part({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
  const say = useWords('contacts')
  return (
    <section>
      <h2>{title}</h2>
      {isEmpty ? <p className="dim">{say('none')}</p> : <ul className={classes.rows}>{children}</ul>}
    </section>
  )
}

function Calls({ id }: { id: number }) {
  const say = useWords('contacts')
  const { data = [] } = useQuery(
    listQuery('connect.call', {
      domain: [['partner', '=', id]],
      fields: CALL_FIELDS,
      order: 'id desc',
      limit: STORY_MAX,
    }),
  )
  return (
    <Part title={say('calls')} isEmpty={data.length === 0}>
      {data.map((call) => (
        <li key={call.id}>
          <Link to="/calls/$id" params={{ id: String(call.id) }} className={classes.row}>
            <span className="number">{call.create_date === null ? '' : formats.time(call.create_date)}</span>
            <span>
              <DirectionSign direction={call.direction} /> <Outcome call={call} />
            </span>
            <CallStripOf call={call} />
          </Link>
        </li>
      ))}
    </Part>
  )
}

function Tickets({ id }: { id: number }) {
  const say = useWords('contacts')
  const { data = [] } = useQuery(
    listQuery('helpdesk.ticket', {
      domain: [['partner_id', '=', id]],
      fields: ['name', 'stage_id', 'create_date'],
      order: 'id desc',
      limit: STORY_MAX,
    }),
  )
  return (
    <Part title={say('tickets')} isEmpty={data.length === 0}>
      {data.map((ticket) => (
        <li key={ticket.id}>
          <Link to="/tickets/$id" params={{ id: String(ticket.id) }} className={classes.row}>
            <span className="number">{ticket.create_date === null ? '' : formats.time(ticket.create_date)}</span>
            <span>
              #{ticket.id} {plain(ticket.name ?? '')}
            </span>
            <span className="dim">{plain(ticket.stage_id?.[1] ?? '')}</span>
          </Link>
        </li>
      ))}
    </Part>
  )
}

function Messages({ id }: { id: number }) {
  const say = useWords('contacts')
  const { data = [] } = useQuery(
    listQuery('connect.message', {
      domain: [['partner', '=', id]],
      fields: ['body', 'message_type', 'status', 'create_date'],
      order: 'id desc',
      limit: STORY_MAX,
    }),
  )
  return (
    <Part title={say('messages')} isEmpty={data.length === 0}>
      {data.map((message) => (
        <li key={message.id} className={classes.row}>
          <span className="number">{message.create_date === null ? '' : formats.time(message.create_date)}</span>
          <span className={classes.body}>{message.body}</span>
          <span className="dim">
            {message.message_type} {message.status}
          </span>
        </li>
      ))}
    </Part>
  )
}
