import { useSyncExternalStore } from 'react'
import { useLive } from '../data/live.ts'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import classes from './frame.module.css'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says that what is shown may be old, or that the page itself is. */
export function OfflineBar() {
  const say = useWords('shell')
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const { isOutdated } = useLive()
  return (
    <div role="status">
      {isOnline ? null : <div className={classes.offline}>{say('offline')}</div>}
      {isOutdated ? (
        <div className={classes.outdated}>
          {say('newVersion')}
          <Button variant="default" size="compact-sm" onClick={() => location.reload()}>
            {say('reload')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
