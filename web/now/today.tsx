import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call, type Domain } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { Methods } from '../data/models.gen.ts'
import { countQuery } from '../data/queries.ts'
import { GROUP, mayDo, useIsInOne, useMe } from '../data/session.ts'
import { startOfToday, wireInstant } from '../words/formats.ts'
import { formats, reader, useWords } from '../words/words.ts'
import { zoneCity } from '../words/zones.ts'
import { dayFigures, waitOf } from './figures.ts'
import { hoursOf } from './hours.ts'
import classes from './now.module.css'

type Stats = Methods['connect.call']['stats']['result']
const DAY_MS = 86_400_000
const PERCENT = 100

function todayQuery(from: string, zone: string) {
  return asks({
    queryKey: keyOf('connect.call', 'figures', from, zone),
    queryFn: () =>
      call('connect.call', 'stats', {
        from,
        // Whatever comes in until the page asks again: the day may have an hour more.
        to: wireInstant(new Date(new Date(`${from.replace(' ', 'T')}Z`).getTime() + 2 * DAY_MS)),
        tz: zone,
        by: 'hour',
      }),
  })
}

/** What came of the calls of today, each figure a link to what it counts. */
export function Today() {
  const say = useWords('now')
  const { zone } = reader()
  const from = startOfToday(new Date(), zone)
  const { data } = useQuery(todayQuery(from, zone))
  return (
    <section aria-label={say('todayIn', { zone: zoneCity(zone, reader().language) })}>
      <h2>{say('todayIn', { zone: zoneCity(zone, reader().language) })}</h2>
      {data === undefined ? <div className={classes.loading} /> : <Figures stats={data} from={from} />}
      {data === undefined || data.total === 0 ? null : <Hours stats={data} from={from} />}
    </section>
  )
}

function Figures({ stats, from }: { stats: Stats; from: string }) {
  const say = useWords('now')
  const wait = waitOf(stats)
  const share = (part: number) => formats.share(part / Math.max(1, stats.total))
  return (
    <>
      <ul className={classes.figures}>
        <Figure figure={formats.count(stats.total)} search={{ day: 'today' }}>
          {say('calls', { count: stats.total })}
        </Figure>
        {stats.total === 0 ? null : (
          <>
            <Figure
              figure={share(stats.agent + stats.agent_person)}
              search={{ day: 'today', outcome: 'agent,agent_person' }}
            >
              {say('byAgents')}
            </Figure>
            {dayFigures(stats).map(({ words, count, outcomes, direction, isTrouble }) => (
              <Figure
                key={words}
                figure={formats.count(count)}
                search={{
                  day: 'today',
                  outcome: outcomes.join(','),
                  ...(direction === undefined ? {} : { direction }),
                }}
                isTrouble={isTrouble}
              >
                {say(words, { count })}
                {words === 'answered' ? ` (${share(count)})` : ''}
              </Figure>
            ))}
          </>
        )}
        <Made stats={stats} from={from} />
      </ul>
      {wait === undefined ? null : <p className="dim">{say(wait.words, { half: wait.half, most: wait.most })}</p>}
    </>
  )
}

/** What calls have led to: tickets of today's calls, and meetings that were booked in calls today. */
function Made({ stats: { tickets }, from }: { stats: Stats; from: string }) {
  const say = useWords('now')
  const me = useMe()
  const isHelpdesk = useIsInOne(GROUP.helpdeskUser, GROUP.helpdeskManager)
  const seesMeetings = mayDo(me, 'calendar.event', 'r')
  const booked: Domain = [
    ['made_in_call', '!=', false],
    ['create_date', '>=', from],
  ]
  const { data: meetings = 0 } = useQuery({
    ...countQuery('calendar.event', { domain: booked }),
    enabled: seesMeetings,
  })
  return (
    <>
      {tickets === 0 ? null : (
        <li>
          <Led to={isHelpdesk ? '/tickets' : undefined} figure={formats.count(tickets)}>
            {say('tickets', { count: tickets })}
          </Led>
        </li>
      )}
      {meetings === 0 ? null : (
        <li>
          <Led to="/records/calendar.event" figure={formats.count(meetings)}>
            {say('meetings', { count: meetings })}
          </Led>
        </li>
      )}
    </>
  )
}

/** A figure that leads to a page, for everybody who sees that page. */
function Led({ to, figure, children }: { to: string | undefined; figure: string; children: ReactNode }) {
  const text = (
    <>
      <span className={classes.number}>{figure}</span> <span className={classes.words}>{children}</span>
    </>
  )
  if (to === undefined) return <span className={classes.figure}>{text}</span>
  return (
    <Link to={to} className={classes.figure}>
      {text}
    </Link>
  )
}

interface FigureProps {
  figure: string
  search: Record<string, string>
  isTrouble?: true | undefined
  children: ReactNode
}

/** A figure is a link to what it counts. */
function Figure({ figure, search, isTrouble, children }: FigureProps) {
  return (
    <li>
      <Link to="/calls" search={search as never} className={classes.figure}>
        <span className={classes.number} data-trouble={isTrouble}>
          {figure}
        </span>{' '}
        <span className={classes.words}>{children}</span>
      </Link>
    </li>
  )
}

/** A bar for each hour so far, and the same as a list for everybody who does not see them. */
function Hours({ stats, from }: { stats: Stats; from: string }) {
  const say = useWords('now')
  const hours = hoursOf(stats.parts, from, new Date(), reader())
  const most = Math.max(1, ...hours.map(({ total }) => total))
  return (
    <figure className={classes.hours}>
      <div className={classes.plot}>
        <div className={classes.bars} aria-hidden>
          {hours.map(({ at, label, total, unanswered }) => (
            <span key={at} className={classes.bar} title={say('hour', { hour: label, count: total })}>
              <span className={classes.barAll} style={{ blockSize: `${((total - unanswered) / most) * PERCENT}%` }} />
              <span className={classes.barMissed} style={{ blockSize: `${(unanswered / most) * PERCENT}%` }} />
            </span>
          ))}
        </div>
        <div className={`dim ${classes.axis}`} aria-hidden>
          <span>{hours.at(0)?.label}</span>
          <span>{hours.length > 1 ? hours.at(-1)?.label : ''}</span>
        </div>
      </div>
      <figcaption className="dim">{say('perHour')}</figcaption>
      <ul className="sr-only">
        {hours
          .filter(({ total }) => total > 0)
          .map(({ at, label, total }) => (
            <li key={at}>{say('hour', { hour: label, count: total })}</li>
          ))}
      </ul>
    </figure>
  )
}
