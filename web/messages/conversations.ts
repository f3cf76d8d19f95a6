/** Messages put together by who writes with whom; pure. */
import type { Link } from '../data/models.gen.ts'

export interface MessageRow {
  id: number
  from_number: string | null
  to_number: string | null
  body: string | null
  message_type: 'sms' | 'mms' | 'WhatsApp' | null
  status: string | null
  direction: 'incoming' | 'outgoing' | null
  partner: Link | null
  create_date: string | null
  num_media: number | null
  error_code: string | null
  error_message: string | null
  waits_for: string | null
}

export interface Conversation {
  channel: 'sms' | 'WhatsApp'
  ours: string
  theirs: string
  partner: Link | null
  last: MessageRow
}

/** A conversation goes on in one of two ways, whether there was a picture in it or not. */
export function channelOf({ message_type: type }: Pick<MessageRow, 'message_type'>): Conversation['channel'] {
  return type === 'WhatsApp' ? type : 'sms'
}

/** The conversations of messages that are sorted newest first, in that order. */
export function conversationsOf(messages: readonly MessageRow[]): Conversation[] {
  const found = new Map<string, Conversation>()
  for (const message of messages) {
    const isOurs = message.direction === 'outgoing'
    const [ours, theirs] = isOurs ? [message.from_number, message.to_number] : [message.to_number, message.from_number]
    const channel = channelOf(message)
    const key = [channel, bare(ours), bare(theirs)].join(' ')
    const known = found.get(key)
    if (known === undefined)
      found.set(key, { channel, ours: bare(ours), theirs: bare(theirs), partner: message.partner, last: message })
    else known.partner ??= message.partner
  }
  return [...found.values()]
}

/** The provider writes `whatsapp:+41...`; the number is the same. */
export function bare(number: string | null): string {
  return (number ?? '').replace(/^whatsapp:/, '')
}
