import { Tabs } from '@mantine/core'
import type { Moment } from '../lines/call-queries.ts'
import { useWords } from '../words/words.ts'
import classes from './call.module.css'
import { CallMoment } from './call-moment.tsx'
import { countsOf, type Placed, SHOWS, type Show } from './moments.ts'

const ALL = 'all'

/** What happened in a call, in order, in milliseconds since it began; each moment opens where it stands. */
export function CallStory({
  moments,
  shown,
  show,
  open,
  nearMs,
  onShow,
  onOpen,
}: {
  moments: readonly Moment[]
  shown: readonly Placed[]
  show: Show | undefined
  open: number | undefined
  /** Where the cursor is. */
  nearMs: number
  onShow: (show: Show | undefined) => void
  onOpen: (place: number) => void
}) {
  const say = useWords('calls')
  const counts = countsOf(moments)
  const near = shown.findLast(({ moment }) => moment.ms <= nearMs)?.place
  const choose = (value: string | null) => onShow(SHOWS.find((each) => each === value))
  return (
    <Tabs value={show ?? ALL} onChange={choose} className={classes.story}>
      <Tabs.List className={classes.tabs}>
        <Tabs.Tab value={ALL}>{say('all')}</Tabs.Tab>
        {SHOWS.filter((each) => counts[each] > 0 || each === show).map((each) => (
          <Tabs.Tab key={each} value={each}>
            {say(each)} <span className="dim">{counts[each]}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={show ?? ALL}>
        {shown.length === 0 ? <p className={`${classes.nothing} dim`}>{say('noMoments')}</p> : null}
        <ol className={classes.moments} aria-label={say('story')}>
          {shown.map(({ moment, place }) => (
            <CallMoment
              key={place}
              moment={moment}
              isOpen={place === open}
              isNear={place === near}
              onOpen={() => onOpen(place)}
            />
          ))}
        </ol>
      </Tabs.Panel>
    </Tabs>
  )
}
