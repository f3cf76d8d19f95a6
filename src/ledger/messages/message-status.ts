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
  const reason = [message.errorMessage, message.errorCode === null ? null : `(error ${message.errorCode})`]
  const because = reason.filter((part) => part !== null).join(' ')
  if (status === 'read') return `The ${what} to ${message.to} was read.`
  if (status === 'failed') return `Sending the ${what} to ${message.to} failed. ${because}`.trim()
  if (status !== 'undelivered') return undefined
  if (message.type !== 'WhatsApp') return `The ${what} to ${message.to} was not delivered. ${because}`.trim()
  return `The ${what} to ${message.to} was not delivered: the 24-hour window is over, use a template. ${because}`.trim()
}
