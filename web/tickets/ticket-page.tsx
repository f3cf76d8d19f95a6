import { Select } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { write } from '../data/client.ts'
import { ApiError } from '../data/errors.ts'
import { fieldsQuery, listQuery, oneQuery } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { PageHead } from '../design/page-head.tsx'
import { CALL_FIELDS } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Chatter } from '../records/chatter.tsx'
import { LinkPicker } from '../records/link-picker.tsx'
import { phone, plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './board.module.css'
import { refreshTickets } from './move-ticket.ts'
import { stagesQuery } from './stages.ts'
import { TICKET_FIELDS } from './ticket-rows.ts'

const FIELDS = [...TICKET_FIELDS, 'description', 'partner_phone', 'partner_email'] as const

/** One ticket: where it stands, what the caller wanted, the calls about it, and the notes. */
export function TicketPage() {
  const say = useWords('tickets')
  const { id: address = '' } = useParams({ strict: false }) as { id?: string }
  const id = Number(address)
  const queries = useQueryClient()
  const { data: ticket } = useSuspenseQuery(oneQuery('helpdesk.ticket', id, FIELDS))
  const { data: stages = [] } = useQuery(stagesQuery)
  const { data: fields } = useSuspenseQuery(fieldsQuery('helpdesk.ticket'))
  const hearsCalls = useIsInOne(GROUP.connectUser, GROUP.connectAdmin)
  if (ticket === null) throw new ApiError(404, say('gone'))
  const change = (field: string, value: unknown): void => {
    write('helpdesk.ticket', [id], { [field]: value })
      .then(() => tellDone(say('saved')), tellRefusal)
      .finally(() => void refreshTickets(queries))
  }
  return (
    <>
      <PageHead title={`#${id} ${plain(ticket.name ?? '')}`}>
        <Link to="/tickets">{say('title')}</Link>
        <Link to={`/records/helpdesk.ticket/${id}`}>{say('allFields')}</Link>
      </PageHead>
      <div className={classes.ticket}>
        <div className={classes.bar}>
          <Select
            label={say('stage')}
            allowDeselect={false}
            data={stages.map((stage) => ({ value: String(stage.id), label: plain(stage.name) }))}
            value={ticket.stage_id === null ? null : String(ticket.stage_id[0])}
            onChange={(stage) => change('stage_id', Number(stage))}
          />
          <Select
            label={say('priority')}
            allowDeselect={false}
            data={(fields.priority?.selection ?? []).map(([value, label]) => ({ value, label }))}
            value={ticket.priority}
            onChange={(priority) => change('priority', priority)}
          />
          <LinkPicker
            label={say('assigned')}
            model="res.users"
            value={ticket.user_id}
            onChange={(user) => change('user_id', Array.isArray(user) ? user[0] : null)}
          />
        </div>
        <p>
          {ticket.partner_id === null ? (
            plain(ticket.partner_name ?? '')
          ) : (
            <Link to={`/contacts/${ticket.partner_id[0]}`}>{plain(ticket.partner_id[1])}</Link>
          )}{' '}
          <span className="number dim">{phone(ticket.partner_phone ?? '')}</span> {plain(ticket.partner_email ?? '')}
        </p>
        {ticket.description === null ? null : <p className={classes.description}>{ticket.description}</p>}
        {hearsCalls ? <TicketCalls id={id} /> : null}
        <Chatter model="helpdesk.ticket" id={id} />
      </div>
    </>
  )
}

function TicketCalls({ id }: { id: number }) {
  const say = useWords('tickets')
  const { data: calls = [] } = useQuery(
    listQuery('connect.call', { domain: [['ticket', '=', id]], fields: CALL_FIELDS, order: 'id desc', limit: 50 }),
  )
  if (calls.length === 0) return null
  return (
    <section>
      <h2>{say('calls')}</h2>
      <ul className={classes.calls}>
        {calls.map((call) => (
          <li key={call.id}>
            <Link to="/calls/$id" params={{ id: String(call.id) }}>
              <Outcome call={call} />
              <CallStripOf call={call} />
              <span className="number">{call.create_date === null ? '' : formats.time(call.create_date)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
