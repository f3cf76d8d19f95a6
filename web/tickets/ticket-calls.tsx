import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Row } from '../data/client.ts'
import { listQuery } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { beganAt, CALL_FIELDS } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { HearCall } from '../lines/hear-call.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { isUnsaid } from '../lines/outcome-signs.ts'
import { PostText } from '../records/post-text.tsx'
import { plain } from '../words/formats.ts'
import { formats, quoted, useWords } from '../words/words.ts'
import { firstWords } from './first-words.ts'
import classes from './ticket.module.css'

const CALLS_MAX = 50
const FIELDS = [...CALL_FIELDS, 'summary', 'voiceai_summary'] as const

/** The calls about a ticket, each with the first thing that the caller said, and what it was about. */
export function TicketCalls({ id }: { id: number }) {
  const say = useWords('tickets')
  const { data: calls = [] } = useQuery(
    listQuery('connect.call', { domain: [['ticket', '=', id]], fields: FIELDS, order: 'id desc', limit: CALLS_MAX }),
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
              <TicketCall call={call} said={said} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface Props {
  call: Row<'connect.call', (typeof FIELDS)[number]>
  said: { text: string; second: number } | undefined
}

/** One of them; the caller's words open the rest of it, and play it from there. */
function TicketCall({ call, said }: Props) {
  const say = useWords('tickets')
  const [isOpen, setOpen] = useState(false)
  const { summary, voiceai_summary: told } = call
  return (
    <>
      <Link to="/calls/$id" params={{ id: String(call.id) }} className={classes.call}>
        <Outcome call={call} />
        <CallStripOf call={call} />
        <span className="number">
          {formats.duration(call.duration ?? 0)} · {formats.time(beganAt(call))}
        </span>
      </Link>
      {summary ? <PostText html={summary} /> : null}
      {!summary && told ? <p className={classes.said}>{plain(told)}</p> : null}
      {said === undefined && !isUnsaid(call) ? (
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {say('hear')}
        </Button>
      ) : null}
      {said === undefined ? null : (
        <button type="button" className={classes.words} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span aria-hidden>▶</span> {quoted(said.text)}
        </button>
      )}
      {isOpen ? <HearCall id={call.id} second={said?.second ?? 0} /> : null}
    </>
  )
}
