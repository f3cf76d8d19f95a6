import { useQuery } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './calls.module.css'
import { sinceBegin } from './moments.ts'

/** What happened in a call, in order, in milliseconds since it began. */
export function CallTimeline({ id }: { id: number }) {
  const say = useWords('calls')
  const { data, error } = useQuery({
    queryKey: ['connect.call', 'timeline', id],
    queryFn: () => call('connect.call', 'timeline', { ids: [id] }),
  })
  if (error !== null) return <p role="alert">{sentenceOf(error)}</p>
  if (data === undefined) return null
  if (data.moments.length === 0) return <p className="dim">{say('noMoments')}</p>
  return (
    <ol className={classes.timeline} aria-label={say('story')}>
      {data.moments.map((moment, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one record tells several moments, and they keep their order
        <li key={at} className={classes.moment}>
          <span className="mono number" title={moment.at}>
            {sinceBegin(moment)}
          </span>
          <span className={classes.detail}>{plain(moment.sentence)}</span>
        </li>
      ))}
    </ol>
  )
}
