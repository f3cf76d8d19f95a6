import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Domain, ModelName } from '../data/client.ts'
import { countQuery } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { startOfToday } from '../words/formats.ts'
import { formats, reader, useWords } from '../words/words.ts'
import classes from './now.module.css'

const DEAD: Domain = [['state', '=', 'dead']]

/** What does not mend itself: deliveries that were given up, and runs with the providers that failed today. */
export function NeedsLook() {
  return useIsInOne(GROUP.connectAdmin) ? <Needs /> : null
}

function Needs() {
  const say = useWords('now')
  const since = startOfToday(new Date(), reader().zone)
  const failed: Domain = [
    ['state', '=', 'failed'],
    ['create_date', '>=', since],
  ]
  const dead = useCount('connect.inbox', DEAD)
  const runs = useCount('connect.sync_run', failed)
  if (dead + runs === 0) return null
  return (
    <p>
      {say('needsLook')}{' '}
      {dead === 0 ? null : (
        <Link to="/records/$model" params={{ model: 'connect.inbox' }} className={classes.look}>
          {say('dead', { count: dead, shown: formats.count(dead) })}
        </Link>
      )}{' '}
      {runs === 0 ? null : (
        <Link to="/records/$model" params={{ model: 'connect.sync_run' }} className={classes.look}>
          {say('failedRuns', { count: runs, shown: formats.count(runs) })}
        </Link>
      )}
    </p>
  )
}

function useCount(model: ModelName, domain: Domain): number {
  return useQuery(countQuery(model, { domain })).data ?? 0
}
