// Who reads which text messages: the one place for a conversation and for what was written in it. Anyone who has access without a
// rule (an administrator, the webhook) reads all of them.
import { GROUP, type Identity } from '../../platform/access/identity.ts'
import type { RecordRule } from '../../platform/model/values.ts'
import type { Domain } from '../../platform/records/domain-syntax.ts'

/**
 * A conversation is everybody's once somebody has written to us. One in which only we wrote is that of the people who wrote, and
 * of those it was assigned to.
 */
export const READERS_OF_CONVERSATIONS: RecordRule[] = [
  { group: GROUP.connectUser, domain: (identity) => conversations('', identity) },
]

/** Anyone who sees a conversation reads all of it, and changes their own messages and those that nobody of us wrote. */
export const READERS_OF_MESSAGES: RecordRule[] = [
  {
    group: GROUP.connectUser,
    domain: ({ userId }) => ['|', ['sender_user', '=', userId], ['sender_user', '=', null]],
  },
  { group: GROUP.connectUser, isForReading: true, domain: (identity) => conversations('conversation.', identity) },
]

function conversations(path: '' | 'conversation.', { userId }: Identity): Domain {
  return ['|', [`${path}last_open`, '!=', null], [`${path}readers.user`, '=', userId]]
}
