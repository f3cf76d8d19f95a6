import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './calls.module.css'
import { type Moment, readMoments, sinceBegin } from './moments.ts'

const MODELS: Readonly<Record<string, string>> = {
  leg: 'connect.channel',
  delivery: 'connect.delivery',
  recording: 'connect.recording',
  voicemail: 'connect.voicemail',
}

/** What happened in a call, in order, in milliseconds since it began. */
export function CallTimeline({ id }: { id: number }) {
  const say = useWords('calls')
  const { data, error } = useQuery({
    queryKey: ['connect.call', 'timeline', id],
    queryFn: async () => readMoments(await call('connect.call', 'timeline', { ids: [id] })),
  })
  if (error !== null) return <p role="alert">{sentenceOf(error)}</p>
  if (data === undefined) return null
  if (data.length === 0) return <p className="dim">{say('noMoments')}</p>
  return (
    <ol className={classes.timeline} aria-label={say('story')}>
      {data.map((moment, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one record tells several moments, and they keep their order
        <li key={at} className={classes.moment}>
          <span className="mono number" title={moment.at}>
            {sinceBegin(moment, data)}
          </span>
          <span>{moment.what}</span>
          <span className={classes.detail}>
            {plain(moment.detail)} <RecordLink moment={moment} />
          </span>
        </li>
      ))}
    </ol>
  )
}

function RecordLink({ moment }: { moment: Moment }) {
  const [kind = '', id = ''] = moment.record.split(' ')
  const model = MODELS[kind]
  if (model === undefined) return null
  const isDelivery = kind === 'delivery'
  return (
    <Link
      to={isDelivery ? '/deliveries' : `/records/${model}/${id}`}
      search={(isDelivery ? { open: Number(id) } : {}) as never}
    >
      {moment.record}
    </Link>
  )
}
