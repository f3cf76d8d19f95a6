import { useQuery } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { wireInstant } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './deliveries.module.css'
import { type DeliveriesSearch, VERDICTS } from './deliveries-search.ts'
import { type DeliveryStats, HOUR_MS, partsOf } from './last-hour.ts'

interface Props {
  search: DeliveriesSearch
  onChange: (part: Partial<DeliveriesSearch>) => void
}

const MINUTE_MS = 60_000
/** Of a hundred. */
const BASE_LINE = 8
const LEAST_SEEN = 20
/** The clock of the browser may be behind. */
const AHEAD_MS = 2 * HOUR_MS

function hourQuery(from: Date) {
  return asks({
    queryKey: keyOf('connect.delivery', 'last-hour', wireInstant(from)),
    queryFn: () =>
      call('connect.delivery', 'stats', {
        from: wireInstant(from),
        to: wireInstant(new Date(from.getTime() + AHEAD_MS)),
        by: 'minute',
      }),
    // What was counted a minute ago stands until the new figures are there.
    placeholderData: (before: DeliveryStats | undefined) => before,
  })
}

/** The verdicts with what became of the deliveries of the last hour; each is the filter of the same name. */
export function Filters({ search, onChange }: Props) {
  const say = useWords('deliveries')
  // The same for a minute, so that what is asked for again has been asked for before.
  const from = new Date(Math.floor((Date.now() - HOUR_MS) / MINUTE_MS) * MINUTE_MS)
  const { data: stats } = useQuery(hourQuery(from))
  return (
    <fieldset className={classes.filters} aria-label={say('filters')}>
      {VERDICTS.map((verdict) => {
        const isOn = search.verdict === verdict
        return (
          <button
            key={verdict}
            type="button"
            className={classes.filter}
            data-verdict={verdict}
            aria-pressed={isOn}
            onClick={() => onChange({ verdict: isOn ? undefined : verdict, open: undefined })}
          >
            <span>{say(verdict)}</span>
            {stats === undefined ? null : (
              <>
                <span className={classes.hourCount} title={say('inHour', { count: stats[verdict] })}>
                  {formats.count(stats[verdict])}
                </span>
                <Bars counts={partsOf(stats, verdict, from)} />
              </>
            )}
          </button>
        )
      })}
      <button
        type="button"
        className={classes.filter}
        aria-pressed={search.since === 'hour'}
        onClick={() => onChange({ since: search.since === 'hour' ? undefined : 'hour', open: undefined })}
      >
        {say('lastHour')}
      </button>
      {stats === undefined ? null : <Took stats={stats} />}
    </fieldset>
  )
}

/** A bar for every five minutes; the count beside them says the same in words. */
function Bars({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts)
  const width = 100 / counts.length
  return (
    <svg className={classes.hourBars} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
      {counts.map((count, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in the hour
        <Bar key={at} x={at * width} width={width * 0.75} share={count / most} />
      ))}
    </svg>
  )
}

/** A part without any stands as a line, so that the hour is seen whole. */
function Bar({ x, width, share }: { x: number; width: number; share: number }) {
  const height = share === 0 ? BASE_LINE : Math.max(share * 100, LEAST_SEEN)
  return <rect data-none={share === 0 || undefined} x={x} y={100 - height} width={width} height={height} />
}

/** How long the answers of the last hour took. */
function Took({ stats: { p50_ms: half, p95_ms: most, is_whole: isWhole, total } }: { stats: DeliveryStats }) {
  const say = useWords('deliveries')
  if (half === null || most === null) return null
  return (
    <span className={`dim ${classes.hourTook}`}>
      {say('tookHalf', { half, most })} {isWhole ? null : say('notWhole', { count: total })}
    </span>
  )
}
