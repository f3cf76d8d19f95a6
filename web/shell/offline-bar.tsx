import { useSyncExternalStore } from 'react'
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

/** Says that what is shown may be old. */
export function OfflineBar() {
  const say = useWords('shell')
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return <div role="status">{isOnline ? null : <div className={classes.offline}>{say('offline')}</div>}</div>
}
