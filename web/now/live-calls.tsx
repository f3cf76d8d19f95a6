import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Row } from '../data/client.ts'
import { mayChangeCall } from '../data/own-records.ts'
import { listQuery } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { beganAt, CALL_FIELDS, type CallRow } from '../lines/call-rows.ts'
import { DirectionSign } from '../lines/direction.tsx'
import { LiveStrip } from '../lines/live-strip.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Party } from '../lines/party.tsx'
import { TakeOver } from '../lines/take-over.tsx'
import { useTick } from '../lines/use-tick.ts'
import { party, plain, readInstant } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './now.module.css'

const LIVE_MAX = 50
/** Who was in it besides, of us. */
const LIVE_FIELDS = [...CALL_FIELDS, 'caller_user', 'called_users'] as const
type LiveCall = Row<'connect.call', (typeof LIVE_FIELDS)[number]> & { id: number }
const MS_PER_SECOND = 1_000

/** Calls that go on, each growing once a second. */
export function LiveCalls() {
  const say = useWords('now')
  const { data: live } = useQuery(
    listQuery('connect.call', {
      domain: [['outcome', '=', 'in_progress']],
      fields: LIVE_FIELDS,
      order: 'id desc',
      limit: LIVE_MAX,
    }),
  )
  useTick(live !== undefined && live.length > 0)
  if (live === undefined) return <div className={classes.loading} />
  return (
    <section aria-label={say('onTheLine')}>
      <h2 aria-live="polite">{live.length === 0 ? say('nobody') : say('count', { count: live.length })}</h2>
      <ul className={classes.rows}>
        {live.map((call) => (
          <li key={call.id}>
            <LiveRow call={call} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function LiveRow({ call }: { call: LiveCall }) {
  const me = useMe()
  const at = beganAt(call)
  const began = at === null ? undefined : readInstant(at).getTime()
  const isWithAgent = call.voiceai_agent !== null && call.answered_user === null && call.answered_pbx_user === null
  const seconds = began === undefined ? 0 : Math.max(0, (Date.now() - began) / MS_PER_SECOND)
  return (
    <div className={classes.liveRow}>
      <Link to="/calls/$id" params={{ id: String(call.id) }} className={classes.row}>
        <span className={classes.who}>
          <DirectionSign direction={call.direction} /> <Party call={call} />
        </span>
        <LiveStrip call={call} seconds={seconds} />
        <Outcome call={call} />
        <span className="number">{formats.duration(seconds)}</span>
      </Link>
      {isWithAgent && call.caller_user?.[0] !== me.id && mayChangeCall(me, call) ? (
        <TakeOver id={call.id} name={nameOf(call)} />
      ) : null}
    </div>
  )
}

/** Whose call it is, for everybody who hears the name of the button. */
function nameOf({ partner, direction, caller, called }: CallRow): string {
  return plain(partner?.[1] ?? '') || party((direction === 'outgoing' ? called : caller) ?? '?')
}
