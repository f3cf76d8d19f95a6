import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Domain } from '../data/client.ts'
import { countQuery, listQuery } from '../data/queries.ts'
import { PageHead } from '../design/page-head.tsx'
import { LIVE, MISSED, VOICEMAIL } from '../lines/call-domains.ts'
import { CALL_FIELDS, type CallRow } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Party } from '../lines/party.tsx'
import { SetUpNotice } from '../records/set-up-notice.tsx'
import { startOfToday } from '../words/formats.ts'
import { formats, reader, useWords } from '../words/words.ts'
import classes from './now.module.css'

/** Until the service says by itself what changed. */
const LOOK_AGAIN_MS = 5_000
const LIVE_MAX = 50
const MISSED_MAX = 8

/** Who is on the line, who waits to be called back, and today in figures. */
export function NowPage() {
  const say = useWords('now')
  const today: Domain = [['create_date', '>=', startOfToday(new Date(), reader().zone)]]
  const { data: live = [] } = useQuery({
    ...listQuery('connect.call', { domain: [LIVE], fields: CALL_FIELDS, order: 'id desc', limit: LIVE_MAX }),
    refetchInterval: LOOK_AGAIN_MS,
  })
  const { data: missed = [] } = useQuery({
    ...listQuery('connect.call', {
      domain: [...today, ...MISSED],
      fields: CALL_FIELDS,
      order: 'id desc',
      limit: MISSED_MAX,
    }),
    refetchInterval: LOOK_AGAIN_MS,
  })
  return (
    <>
      <PageHead title={say('title')} />
      <div className={classes.page}>
        <SetUpNotice />
        <section aria-label={say('onTheLine')}>
          <h2>{live.length === 0 ? say('nobody') : say('count', { count: live.length })}</h2>
          <Rows calls={live} />
        </section>
        <div className={classes.halves}>
          <section>
            <h2>{say('missedToday')}</h2>
            {missed.length === 0 ? <p className="dim">{say('nobodyMissed')}</p> : <Rows calls={missed} />}
          </section>
          <section>
            <h2>{say('today')}</h2>
            <ul className={classes.figures}>
              <Figure domain={today} words={say('calls')} search={{ day: 'today' }} />
              <Figure
                domain={[...today, ['voiceai_agent', '!=', null]]}
                words={say('withAgents')}
                search={{ day: 'today', show: 'agent' }}
              />
              <Figure domain={[...today, ...MISSED]} words={say('missed')} search={{ day: 'today', show: 'missed' }} />
              <Figure
                domain={[...today, VOICEMAIL]}
                words={say('voicemails')}
                search={{ day: 'today', show: 'voicemail' }}
              />
            </ul>
          </section>
        </div>
      </div>
    </>
  )
}

function Rows({ calls }: { calls: readonly (CallRow & { id: number })[] }) {
  return (
    <ul className={classes.rows}>
      {calls.map((call) => (
        <li key={call.id}>
          <Link to="/calls/$id" params={{ id: String(call.id) }} className={classes.row}>
            <span className={classes.who}>
              <DirectionSign direction={call.direction} /> <Party call={call} />
            </span>
            <CallStripOf call={call} />
            <Outcome call={call} />
            <span className="number">{call.create_date === null ? '' : formats.time(call.create_date)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** A figure is a link to what it counts. */
function Figure({ domain, words, search }: { domain: Domain; words: string; search: Record<string, string> }) {
  const { data } = useQuery({ ...countQuery('connect.call', { domain }), refetchInterval: LOOK_AGAIN_MS })
  return (
    <li>
      <Link to="/calls" search={search as never} className={classes.figure}>
        <span className={classes.number}>{data === undefined ? '…' : formats.count(data)}</span> {words}
      </Link>
    </li>
  )
}
