export const MESSAGE_STATUSES = [
  'draft',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'received',
  'failed',
  'undelivered',
] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/**
 * How far along a message is (docs/reference/providers.md#statuses), and which of two ends stands when both are reported:
 * what reached the telephone did reach it, whatever was thought before. No two are equal, so that the result is the
 * same in any order.
 */
export const STATUS_RANK: Readonly<Record<MessageStatus, number>> = {
  draft: 0,
  queued: 1,
  sending: 2,
  sent: 3,
  failed: 4,
  undelivered: 5,
  delivered: 6,
  read: 7,
  // Somebody else sent it to us. Should the provider report more of it, that is what we know.
  received: -1,
}

/** Words of the provider for which we have no status of their own. */
const ALIASES: Readonly<Record<string, MessageStatus>> = {
  accepted: 'queued',
  scheduled: 'queued',
  canceled: 'failed',
  partially_delivered: 'delivered',
}

/** The status that a callback or an answer of the provider names; undefined for one that says nothing of delivery. */
export function parseMessageStatus(written: string | undefined): MessageStatus | undefined {
  const word = (written ?? '').trim().toLowerCase()
  if (word === 'draft' || word === 'received') return undefined
  return Object.hasOwn(ALIASES, word) ? ALIASES[word] : MESSAGE_STATUSES.find((status) => status === word)
}

/** True for the two ends that mean: the other side did not get it. */
export function isFailure(status: MessageStatus): boolean {
  return status === 'failed' || status === 'undelivered'
}

/** What the people of the thread are told of a status; undefined for those that are no news. */
export function statusNote(
  status: MessageStatus,
  message: { type: string; to: string; errorCode: string | null; errorMessage: string | null },
): string | undefined {
  const what = message.type === 'WhatsApp' ? 'WhatsApp message' : 'message'
  if (status === 'read') return `The ${what} to ${message.to} was read.`
  if (!isFailure(status)) return undefined
  const failed =
    status === 'failed'
      ? `Sending the ${what} to ${message.to} failed`
      : `The ${what} to ${message.to} was not delivered`
  const code = message.errorCode === null ? '' : ` (error ${message.errorCode})`
  const detail = message.errorMessage === null ? '' : ` ${message.errorMessage}`
  if (message.errorCode === WINDOW_OVER) return `${failed}: the 24-hour window is over, use a template.${detail}${code}`
  const meaning = DELIVERY_ERRORS[message.errorCode ?? '']
  if (meaning === undefined) return `${failed}.${detail}${code}`
  return `${failed}${detail === '' ? '' : `.${detail}`}${code}: ${meaning}`
}

/** WhatsApp takes no free text a day after the other side wrote (twilio.com/docs/api/errors/63016). */
const WINDOW_OVER = '63016'

/**
 * What the provider's codes mean (its page for each: twilio.com/docs/api/errors/30003). A code that is not here stands as it
 * came. The page has the same codes in two languages (web/words/provider-errors.ts).
 */
const DELIVERY_ERRORS: Readonly<Record<string, string>> = {
  21211: 'this is no valid phone number.',
  21408: 'the account may not send messages to this country.',
  21606: 'our number cannot send messages to this number.',
  21610: 'the recipient has unsubscribed with STOP.',
  21611: 'too many messages were waiting to be sent.',
  21612: 'our number cannot send messages to this number.',
  21614: 'this number cannot receive text messages.',
  21617: 'the text is too long.',
  30001: 'too many messages were waiting to be sent.',
  30002: 'the account at the provider is suspended.',
  30003: 'the telephone cannot be reached: it is switched off, or out of the network.',
  30004: 'the network, or the recipient, blocks messages from this number.',
  30005: 'the network does not know this number.',
  30006: 'this is a landline, or a network that takes no messages.',
  30007: 'the network filtered it out as unwanted.',
  30008: 'the network gave no reason.',
  30010: 'it costs more than the account allows for one message.',
  30011: 'pictures cannot be sent to this country.',
  30017: 'the network was overloaded.',
  30018: 'the network takes messages of registered senders only.',
  30019: 'the files are too large for the network.',
  30022: 'too many messages were sent to the USA at once.',
  30023: 'the limit of messages a day to the USA is reached.',
  30024: 'the network takes messages of registered senders only.',
  30027: 'the limit of messages a day to the USA is reached.',
  30032: 'our toll-free number is not verified.',
  30034: 'our number is not registered for business messages in the USA (A2P 10DLC).',
  30036: 'it could not be delivered in time.',
  30037: 'sending messages is switched off for the account at the provider.',
  30040: 'the network takes messages of registered senders only.',
  30041: 'the network takes messages of registered senders only.',
  30450: 'the provider blocked it.',
  63001: 'our sender is not set up correctly at the provider.',
  63003: 'WhatsApp cannot find this recipient.',
  63005: 'WhatsApp did not accept the content.',
  63006: 'WhatsApp did not accept the content.',
  63007: 'our number is no WhatsApp sender.',
  63008: 'our sender is not set up correctly at the provider.',
  63009: 'WhatsApp had an error of its own.',
  63013: 'it violates a policy of WhatsApp.',
  63015: 'the recipient has not joined the WhatsApp sandbox.',
  63018: 'our WhatsApp sender has reached its limit of messages.',
  63019: 'WhatsApp could not download the file.',
  63020: 'our sender is not set up correctly at the provider.',
  63021: 'WhatsApp does not support the content.',
  63022: 'our sender is not set up correctly at the provider.',
  63023: 'WhatsApp had an error of its own.',
  63024: 'the number is no valid WhatsApp recipient.',
  63027: 'the template does not exist in this language.',
  63028: 'the template was filled with the wrong number of values.',
  63029: 'their WhatsApp could not load the template.',
  63031: 'it was sent from a number to itself.',
  63032: 'WhatsApp does not deliver this message to this person because of a limit of its own.',
  63033: 'the recipient cannot receive messages from this sender.',
  63038: 'the account has reached its limit of messages a day.',
  63040: 'WhatsApp has rejected the template.',
  63041: 'WhatsApp has paused the template.',
  63042: 'WhatsApp has disabled the template.',
  63049: 'WhatsApp chose not to deliver this marketing message.',
}
