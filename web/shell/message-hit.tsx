import { useQuery } from '@tanstack/react-query'
import type { Row } from '../data/client.ts'
import { listQuery } from '../data/queries.ts'
import { party, plain } from '../words/formats.ts'
import { formats, messageWords } from '../words/words.ts'
import classes from './call-hit.module.css'

const FIELDS = ['message_type', 'direction', 'from_number', 'to_number', 'partner', 'body', 'create_date'] as const
type MessageRow = Row<'connect.message', (typeof FIELDS)[number]>

/** The text messages among what was found, as far as they are read already. */
export function useMessageHits(ids: readonly number[]): ReadonlyMap<number, MessageRow> {
  const { data = [] } = useQuery({
    ...listQuery('connect.message', { fields: FIELDS, domain: [['id', 'in', ids]], limit: ids.length }),
    enabled: ids.length > 0,
    throwOnError: false,
  })
  return new Map(data.map((message) => [message.id, message]))
}

/** The conversation that a message is in. */
export function conversationPage({ message_type: type, ...message }: MessageRow): string {
  const parts = [type === 'WhatsApp' ? type : 'sms', ...endsOf(message)].map(encodeURIComponent)
  return `/messages/${parts.join('/')}`
}

/** A message that was found: with whom, what it says, and when it came or went. */
export function MessageHit({ message }: { message: MessageRow }) {
  const [, theirs] = endsOf(message)
  return (
    <div className={classes.hit}>
      <div>
        {message.partner === null ? null : <strong>{plain(message.partner[1])} </strong>}
        <span className={message.partner === null ? 'number' : 'number dim'}>{party(theirs)}</span>
      </div>
      <div className={classes.words}>
        <span className="dim">{formats.time(message.create_date)} · </span>
        {plain(messageWords(message.body ?? ''))}
      </div>
    </div>
  )
}

/** Our number and theirs. */
function endsOf({
  direction,
  from_number: from,
  to_number: to,
}: Pick<MessageRow, 'direction' | 'from_number' | 'to_number'>): [string, string] {
  const ends: [string, string] = [from ?? '', to ?? '']
  return direction === 'outgoing' ? ends : [ends[1], ends[0]]
}
