import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../data/queries.ts'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './settings.module.css'

const FIELDS = ['area', 'kind', 'state', 'step', 'summary', 'create_date'] as const
const RUNS_MAX = 6
const WATCH_MS = 1_000
const IDLE_MS = 15_000
const UNDER_WAY = ['queued', 'running']

/** The last runs with the providers, step by step while one is under way. */
export function LastRuns() {
  const say = useWords('settings')
  const { data: runs = [] } = useQuery({
    ...listQuery('connect.sync_run', { fields: FIELDS, order: 'id desc', limit: RUNS_MAX }),
    refetchInterval: ({ state }) =>
      state.data?.some((run) => run.state !== null && UNDER_WAY.includes(run.state)) ? WATCH_MS : IDLE_MS,
  })
  return (
    <section className={classes.card} aria-label={say('runs')}>
      <h2>{say('runs')}</h2>
      {runs.length === 0 ? <p className="dim">{say('noRuns')}</p> : null}
      <ul className={classes.runs}>
        {runs.map(({ id, area, kind, state, step, summary, create_date: at }) => (
          <li key={id}>
            <Link to={`/records/connect.sync_run/${id}`}>
              {area} {kind}
            </Link>{' '}
            <strong>{state}</strong> {step} <span className="dim">{at === null ? '' : formats.time(at)}</span>
            <div>{plain(summary ?? '')}</div>
          </li>
        ))}
      </ul>
    </section>
  )
}
