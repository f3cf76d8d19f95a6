import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../data/queries.ts'
import { beganAt, CALL_FIELDS } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { formats, useWords } from '../words/words.ts'
import { firstWords } from './first-words.ts'
import classes from './ticket.module.css'

const CALLS_MAX = 50

/** The calls about a ticket, each with the first thing that the caller said. */
export function TicketCalls({ id }: { id: number }) {
  const say = useWords('tickets')
  const { data: calls = [] } = useQuery(
    listQuery('connect.call', {
      domain: [['ticket', '=', id]],
      fields: CALL_FIELDS,
      order: 'id desc',
      limit: CALLS_MAX,
    }),
  )
  const { data: recordings = [] } = useQuery({
    ...listQuery('connect.recording', {
      domain: [['call', 'in', calls.map((call) => call.id)]],
      fields: ['call', 'turns', 'conversation_started_at'],
      limit: CALLS_MAX,
    }),
    enabled: calls.length > 0,
  })
  if (calls.length === 0) return null
  return (
    <section aria-label={say('calls')}>
      <ul className={classes.calls}>
        {calls.map((call) => {
          const said = recordings
            .filter((recording) => recording.call?.[0] === call.id)
            .map((recording) => firstWords(recording, call.started_at))
            .find((words) => words !== undefined)
          return (
            <li key={call.id}>
              <Link to="/calls/$id" params={{ id: String(call.id) }} className={classes.call}>
                <Outcome call={call} />
                <CallStripOf call={call} />
                <span className="number">
                  {formats.duration(call.duration ?? 0)} {formats.time(beganAt(call))}
                </span>
              </Link>
              {said === undefined ? null : (
                <p className={classes.said}>
                  “{said.text}”{' '}
                  <Link
                    to="/calls/$id"
                    params={{ id: String(call.id) }}
                    search={{ at: said.second } as never}
                    aria-label={say('hear')}
                  >
                    ▶
                  </Link>
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
