import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../data/queries.ts'
import { CALL_FIELDS } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import type { Conversation } from './conversations.ts'
import classes from './messages.module.css'

const CALLS_MAX = 5

/** Who is written with, and when they called. */
export function ContactPane({ conversation: { partner, theirs } }: { conversation: Conversation }) {
  const say = useWords('messages')
  const { data: calls = [] } = useQuery({
    ...listQuery('connect.call', {
      domain: [['partner', '=', partner?.[0] ?? 0]],
      fields: CALL_FIELDS,
      order: 'id desc',
      limit: CALLS_MAX,
    }),
    enabled: partner !== null,
  })
  return (
    <aside className={classes.contact} aria-label={say('contact')}>
      <h2>{partner === null ? say('unknown') : <Link to={`/contacts/${partner[0]}`}>{plain(partner[1])}</Link>}</h2>
      <p className="number">{phone(theirs)}</p>
      {calls.map((call) => (
        <Link key={call.id} to="/calls/$id" params={{ id: String(call.id) }} className={classes.call}>
          <Outcome call={call} />
          <CallStripOf call={call} />
        </Link>
      ))}
    </aside>
  )
}
