import { useQueryClient } from '@tanstack/react-query'
import { call, type Row } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { mayChangeMessage } from '../data/own-records.ts'
import { useMe } from '../data/session.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { hasFailed, useDelivered } from '../records/delivered.ts'
import { plain } from '../words/formats.ts'
import { useProviderErrors } from '../words/provider-errors.ts'
import { formats, messageWords, useWords } from '../words/words.ts'
import { MessageMedia } from './message-media.tsx'
import { MessageText } from './message-text.tsx'
import classes from './messages.module.css'

export const MESSAGE_FIELDS = [
  'body',
  'status',
  'direction',
  'sender_user',
  'create_date',
  'media_urls',
  'error_code',
  'error_message',
  'waits_for',
  'content_sid',
] as const
export type MessageRow = Row<'connect.message', (typeof MESSAGE_FIELDS)[number]>

/** One message, with what came with it and what became of it. */
export function MessageBubble({ message }: { message: MessageRow }) {
  const { direction, body, status } = message
  const isLost = hasFailed(status)
  return (
    <li className={classes.message} data-ours={direction === 'outgoing' || undefined} data-failed={isLost || undefined}>
      <MessageMedia message={message} />
      {body ? <MessageText text={messageWords(body)} /> : null}
      <Meta message={message} />
      {isLost ? <Failure message={message} /> : null}
    </li>
  )
}

/** When it was written, and of what we wrote by whom and how far it has come. */
function Meta({ message }: { message: MessageRow }) {
  const say = useWords('records')
  const delivered = useDelivered()
  const { direction, status, create_date: at, waits_for: waits, sender_user: sender } = message
  const isOurs = direction === 'outgoing'
  const said = [
    isOurs ? plain(sender?.[1] ?? say('automatic')) : '',
    isOurs ? delivered(status) : '',
    plain(waits ?? ''),
  ].filter((each) => each !== '')
  return (
    <p className={classes.meta}>
      {at === null ? '' : <time dateTime={formats.exact(at)}>{formats.clock(at)}</time>}
      {said.map((each) => ` · ${each}`).join('')}
    </p>
  )
}

/** Why, in words or the provider's own, with its code, and the button that may mend it. */
function Failure({ message }: { message: MessageRow }) {
  const { id, error_message: sentence, error_code: code, sender_user: sender } = message
  const say = useWords('messages')
  const me = useMe()
  const queries = useQueryClient()
  // The provider's own sentence is often but its code again.
  const reason = useProviderErrors()(code)
  const again = async (): Promise<void> => {
    await call('connect.message', 'retry', { ids: [id] }).catch(tellRefusal)
    await queries.invalidateQueries({ queryKey: keysOf('connect.message') })
  }
  return (
    <p className={classes.failed}>
      <span>
        {reason ?? plain(sentence ?? say('notDelivered'))}
        {code === null ? '' : ` (${plain(code)})`}
      </span>
      {mayChangeMessage(me, sender) ? (
        <Button variant="default" size="compact-sm" onClick={again}>
          {say('tryAgain')}
        </Button>
      ) : null}
    </p>
  )
}
