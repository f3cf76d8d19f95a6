import { useQuery } from '@tanstack/react-query'
import { unreadQuery } from '../data/queries.ts'
import { useWords } from '../words/words.ts'
import classes from './bell.module.css'

/** How many conversations of messages have something unread; nothing when none has. */
export function UnreadMessages() {
  const say = useWords('shell')
  const { data } = useQuery(unreadQuery())
  if (!data?.unread) return null
  return (
    <span className={classes.count}>
      {data.unread}
      <span className="sr-only"> {say('unread')}</span>
    </span>
  )
}
