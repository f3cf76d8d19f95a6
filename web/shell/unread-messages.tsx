import { useQuery } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { useWords } from '../words/words.ts'
import classes from './bell.module.css'

/** How many conversations of messages have something unread; nothing when none has. */
export function UnreadMessages() {
  const say = useWords('shell')
  const { data } = useQuery({
    queryKey: ['connect.message', 'counts'],
    queryFn: () => call('connect.message', 'conversation_counts', {}),
  })
  if (!data?.unread) return null
  return (
    <span className={classes.count}>
      {data.unread}
      <span className="sr-only"> {say('unread')}</span>
    </span>
  )
}
