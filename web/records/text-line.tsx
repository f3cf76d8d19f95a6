import { phone, plain } from '../words/formats.ts'
import { useProviderErrors } from '../words/provider-errors.ts'
import { useWords } from '../words/words.ts'
import { hasFailed, useDelivered } from './delivered.ts'
import type { TextLineOf } from './posts.ts'
import classes from './records.module.css'

/** By which channel a text went to which number, or came from it, and how far it has come: "SMS to +1 415 … · ✓✓ delivered". */
export function TextLine({ text }: { text: TextLineOf }) {
  const say = useWords('records')
  const delivered = useDelivered()
  const isOurs = text.direction === 'outgoing'
  const names = { channel: text.channel === 'sms' ? 'SMS' : 'WhatsApp', number: phone(text.theirs) }
  const isLost = hasFailed(text.status)
  const words = useProviderErrors()(text.error_code ?? null)
  const reason = [words ?? text.error_message ?? '', text.error_code ? `(${text.error_code})` : '']
    .filter(Boolean)
    .join(' ')
  return (
    <span data-failed={isLost || undefined} className={classes.textLine}>
      {say(isOurs ? 'textTo' : 'textFrom', names)}
      {isOurs ? ` · ${delivered(text.status)}` : ''}
      {isLost && reason !== '' ? ` · ${plain(reason)}` : ''}
    </span>
  )
}
