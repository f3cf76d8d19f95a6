import { useQuery } from '@tanstack/react-query'
import { callByName } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { asks, keyOf } from '../data/keys.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './replay.module.css'

interface Answered {
  verdict: 'handled' | 'refused' | 'rejected' | 'failed'
  status: number
  body: string
}

interface Compared {
  then: Answered
  now: Answered
  is_same: boolean
}

/** What was answered, and what would be answered now; nothing of it is stored. */
export function Comparison({ id }: { id: number }) {
  const say = useWords('deliveries')
  const { data, error } = useQuery(
    asks({
      queryKey: keyOf('connect.delivery', 'compare', id),
      queryFn: async () => (await callByName('connect.delivery', 'compare', { ids: [id] })) as Compared,
      retry: false,
      staleTime: 0,
    }),
  )
  if (error !== null) return <p role="alert">{sentenceOf(error)}</p>
  if (data === undefined) return <p className="dim">{say('comparing')}</p>
  return (
    <section aria-label={say('compare')}>
      <p>
        <strong>{data.is_same ? `= ${say('same')}` : `≠ ${say('differs')}`}</strong>
      </p>
      <div className={classes.sides}>
        <Side title={say('then')} answered={data.then} />
        <Side title={say('now')} answered={data.now} />
      </div>
    </section>
  )
}

function Side({ title, answered: { verdict, status, body } }: { title: string; answered: Answered }) {
  const say = useWords('deliveries')
  return (
    <div>
      <h3>
        {title} <span className="dim">{`${say(verdict)} ${status}`}</span>
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled has to be reached by keys */}
      <pre className={classes.raw} tabIndex={0}>
        {plain(body)}
      </pre>
    </div>
  )
}
