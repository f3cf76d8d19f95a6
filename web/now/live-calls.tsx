import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { listQuery } from '../data/queries.ts'
import { CALL_FIELDS, type CallRow } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Party } from '../lines/party.tsx'
import { readInstant } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './now.module.css'

const LIVE_MAX = 50
const TICK_MS = 1_000

/** Calls that go on, each growing once a second. */
export function LiveCalls() {
  const say = useWords('now')
  const { data: live } = useQuery(
    listQuery('connect.call', {
      domain: [['outcome', '=', 'in_progress']],
      fields: CALL_FIELDS,
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

function LiveRow({ call }: { call: CallRow & { id: number } }) {
  const began = call.create_date === null ? undefined : readInstant(call.create_date).getTime()
  const seconds = began === undefined ? 0 : Math.max(0, (Date.now() - began) / TICK_MS)
  return (
    <Link to="/calls/$id" params={{ id: String(call.id) }} className={classes.row}>
      <span className={classes.who}>
        <DirectionSign direction={call.direction} /> <Party call={call} />
      </span>
      <CallStripOf call={call} />
      <Outcome call={call} />
      <span className="number">{formats.duration(seconds)}</span>
    </Link>
  )
}

/** Draws again each second while something goes on. */
function useTick(isOn: boolean): void {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [isOn])
}
