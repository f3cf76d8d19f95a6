import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { beganAt, CALL_FIELDS } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Party } from '../lines/party.tsx'
import { whyWords } from '../lines/story-words.ts'
import { whyQuery } from '../lines/why-query.ts'
import { plain } from '../words/formats.ts'
import { useToolWords } from '../words/tool-words.ts'
import { formats, useWords } from '../words/words.ts'
import { noCallsKey } from './agent-calls.ts'
import classes from './agents.module.css'

const SHOWN_MAX = 10

/** The newest conversations of an agent, each with how it ended and what was promised and not done. */
export function LastCalls({ id }: { id: number }) {
  const say = useWords('agents')
  const me = useMe()
  const { data: calls } = useQuery(
    listQuery('connect.call', {
      domain: [['voiceai_agent', '=', id]],
      fields: CALL_FIELDS,
      order: 'id desc',
      limit: SHOWN_MAX,
    }),
  )
  return (
    <section aria-label={say('lastCalls')}>
      <h2>{say('lastCalls')}</h2>
      {calls?.length === 0 ? <p className="dim">{say(noCallsKey(me))}</p> : null}
      <ul className={classes.rows}>
        {calls?.map((call) => (
          <li key={call.id} className={classes.call}>
            <Link to="/calls/$id" params={{ id: String(call.id) }}>
              <Party call={call} />
            </Link>
            <span className="dim">{formats.time(beganAt(call))}</span>
            <CallStripOf call={call} />
            <Outcome call={call} />
            <NotKept id={call.id} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the agent said it would do in a call, and did not. */
function NotKept({ id }: { id: number }) {
  const say = useWords('agents')
  const tell = useWords('story')
  const tools = useToolWords()
  const { data: why } = useQuery(whyQuery(id))
  return why?.open.map(({ kind, ...open }) => (
    <span key={kind} className={classes.notKept}>
      {say('notKept')} {plain(whyWords(tell, open, tools))}
    </span>
  ))
}
