import { useLive } from '../data/live.ts'
import { exactClock } from '../words/formats.ts'
import { reader, useWords } from '../words/words.ts'
import classes from './live-sign.module.css'

/** Whether what is shown is of now; else of when. */
export function LiveSign() {
  const say = useWords('shell')
  const { isOpen, heardAt } = useLive()
  if (isOpen === undefined) return <span className={classes.sign} />
  return (
    <span className={classes.sign} data-open={isOpen} role="status">
      <span aria-hidden>{isOpen ? '●' : '◌'}</span> {say(isOpen ? 'isLive' : 'isReconnecting')}
      {isOpen || heardAt === undefined
        ? null
        : ` · ${say('lastNews', { time: exactClock(new Date(heardAt), reader()) })}`}
    </span>
  )
}
