import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { write } from '../data/client.ts'
import { GoneError, sentenceOf } from '../data/errors.ts'
import { oneQuery } from '../data/queries.ts'
import { type Act, useKeys } from '../design/keys.ts'
import { tellDone } from '../design/notices.tsx'
import { PageHead } from '../design/page-head.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useTakeBack } from '../records/take-back.ts'
import { phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { refreshTickets } from './board-data.ts'
import { neighbours } from './list-order.ts'
import classes from './ticket.module.css'
import { type BarChange, type BarProblem, TicketBar } from './ticket-bar.tsx'
import { TicketCalls } from './ticket-calls.tsx'
import { TICKET_FIELDS } from './ticket-rows.ts'
import { TicketStory } from './ticket-story.tsx'
import { TicketWords } from './ticket-words.tsx'

const FIELDS = [
  ...TICKET_FIELDS,
  'description',
  'partner_phone',
  'partner_email',
  'closed_at',
  'write_stamp',
  'create_uid',
] as const

/** One ticket: where it stands, what the caller said, and what has happened since. */
export function TicketPage() {
  const say = useWords('tickets')
  const { id: address = '' } = useParams({ strict: false }) as { id?: string }
  const id = Number(address)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data: ticket } = useSuspenseQuery(oneQuery('helpdesk.ticket', id, FIELDS))
  const { previous, next } = neighbours(id)
  const keys = useMemo(() => {
    const go = (to: number | undefined): Act => {
      const run = () => to !== undefined && void navigate({ to: '/tickets/$id', params: { id: String(to) } })
      return Object.assign(run, { isHere: () => to !== undefined })
    }
    return { '[': go(previous), ']': go(next), Escape: () => void navigate({ to: '/tickets' }) }
  }, [previous, next, navigate])
  useKeys(keys)
  const takeBack = useTakeBack()
  const [problem, setProblem] = useProblem<BarProblem | undefined>(undefined)
  if (ticket === null) throw new GoneError(say('gone'))
  const change = async ({ field, value, before, done }: BarChange): Promise<void> => {
    setProblem(undefined)
    try {
      await write('helpdesk.ticket', [id], { [field]: value })
      // Another team may have brought another stage with it.
      const stage = field === 'team_id' ? { stage_id: ticket.stage_id } : {}
      const was = { [field]: before, ...stage }
      tellDone(done, await takeBack({ model: 'helpdesk.ticket', id, before: was, sent: was }))
    } catch (error) {
      setProblem({ ticket: id, field, sentence: sentenceOf(error) })
    }
    await refreshTickets(queries)
  }
  return (
    <>
      <PageHead title={`#${id} ${plain(ticket.name ?? '')}`}>
        <Link to="/tickets">{say('title')}</Link>
        <Step to={previous} label={say('previous')} sign="[" />
        <Step to={next} label={say('next')} sign="]" />
        <Link to={`/records/helpdesk.ticket/${id}`}>{say('allFields')}</Link>
      </PageHead>
      <div key={id} className={classes.page}>
        <aside className={classes.about} aria-label={say('about')}>
          <TicketBar ticket={{ ...ticket, id }} problem={problem} onChange={change} />
          <div className={classes.who}>
            {ticket.partner_id === null ? (
              <span>{plain(ticket.partner_name ?? '')}</span>
            ) : (
              <Link to={`/contacts/${ticket.partner_id[0]}`}>{plain(ticket.partner_id[1])}</Link>
            )}
            <span className="number dim">{phone(ticket.partner_phone ?? '')}</span>
            <span className="dim">{plain(ticket.partner_email ?? '')}</span>
          </div>
        </aside>
        <div className={classes.ticket}>
          <TicketCalls id={id} />
          <TicketWords ticket={{ ...ticket, id }} />
          <TicketStory ticket={ticket} />
        </div>
      </div>
    </>
  )
}

function Step({ to, label, sign }: { to: number | undefined; label: string; sign: string }) {
  if (to === undefined) return null
  return (
    <Link to="/tickets/$id" params={{ id: String(to) }} aria-label={label} title={`${label} ${sign}`}>
      {sign === '[' ? '←' : '→'}
    </Link>
  )
}
