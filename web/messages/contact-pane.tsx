import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Domain } from '../data/client.ts'
import type { Link as Linked } from '../data/models.gen.ts'
import { listQuery } from '../data/queries.ts'
import { readsAll } from '../data/reads-all.ts'
import { GROUP, useIsInOne, useMe } from '../data/session.ts'
import { Initials } from '../design/initials.tsx'
import { beganAt, CALL_FIELDS } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { phone, plain } from '../words/formats.ts'
import { stageName } from '../words/labels.ts'
import { formats, useWords } from '../words/words.ts'
import type { Party } from './conversations.ts'
import classes from './messages.module.css'

const CALLS_MAX = 5
const TICKETS_MAX = 5

/** Who is written with: their open tickets, and when they last called. */
export function ContactPane({ party, partner }: { party: Party; partner: Linked | null }) {
  const say = useWords('messages')
  const seesTickets = useIsInOne(GROUP.helpdeskUser, GROUP.helpdeskManager)
  return (
    <aside className={classes.contact} aria-label={say('contact')}>
      <header className={classes.card}>
        <Initials name={partner?.[1] ?? '?'} />
        <div>
          <h2>{partner === null ? say('unknown') : <Link to={`/contacts/${partner[0]}`}>{phone(partner[1])}</Link>}</h2>
          <p className="number dim">{phone(party.theirs)}</p>
        </div>
      </header>
      {seesTickets && partner !== null ? <Tickets partner={partner[0]} /> : null}
      <Calls partner={partner?.[0]} number={party.theirs} />
    </aside>
  )
}

function Tickets({ partner }: { partner: number }) {
  const say = useWords('messages')
  const { data = [] } = useQuery(
    listQuery('helpdesk.ticket', {
      domain: [
        ['partner_id', '=', partner],
        ['active', '=', true],
        ['stage_id.fold', '!=', true],
      ],
      fields: ['name', 'stage_id'],
      order: 'id desc',
      limit: TICKETS_MAX,
    }),
  )
  return (
    <section>
      <h3>{say('openTickets')}</h3>
      {data.length === 0 ? <p className="dim">{say('noTickets')}</p> : null}
      {data.map(({ id, name, stage_id: stage }) => (
        <Link key={id} to="/tickets/$id" params={{ id: String(id) }} className={classes.ticket}>
          <span>
            #{id} {plain(name ?? '')}
          </span>
          <span className="dim">{plain(stageName(stage?.[1] ?? ''))}</span>
        </Link>
      ))}
    </section>
  )
}

function Calls({ partner, number }: { partner: number | undefined; number: string }) {
  const say = useWords('messages')
  const me = useMe()
  const byNumber: Domain = ['|', ['caller', '=', number], ['called', '=', number]]
  // A call that came before its contact was made is nobody's.
  const ofContact: Domain = ['|', ['partner', '=', partner ?? 0], '&', ['partner', '=', false], ...byNumber]
  const { data = [] } = useQuery(
    listQuery('connect.call', {
      domain: partner === undefined ? byNumber : ofContact,
      fields: CALL_FIELDS,
      order: 'id desc',
      limit: CALLS_MAX,
    }),
  )
  return (
    <section>
      <h3>{say('lastCalls')}</h3>
      {data.length === 0 ? (
        <p className="dim">{say(readsAll(me, 'connect.call') ? 'noCalls' : 'noCallsOfYours')}</p>
      ) : null}
      {data.map((call) => (
        <Link key={call.id} to="/calls/$id" params={{ id: String(call.id) }} className={classes.call}>
          <span className={classes.line}>
            <span>
              <DirectionSign direction={call.direction} /> <Outcome call={call} />
            </span>
            <span className="dim number">{formats.time(beganAt(call))}</span>
          </span>
          <CallStripOf call={call} />
        </Link>
      ))}
    </section>
  )
}
