import type { Env } from '../../platform/access/env.ts'
import { messagePosts, type Post } from '../../platform/chatter/chatter.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { DeliveryReport } from './delivery.ts'
import type { textMessageModel } from './message.ts'
import { statusNote } from './message-status.ts'
import { findPostable, keyOf } from './thread.ts'

/** What of a message the post about its delivery says. */
export type DeliveredMessage = RowOf<
  typeof textMessageModel,
  'id' | 'message_type' | 'to_number' | 'res_model' | 'res_id'
>

/** What became of a message. */
interface DeliveryNews {
  readonly message: DeliveredMessage
  readonly report: DeliveryReport
}

/** Posts on the threads what became of their messages, where that is news. */
export async function postDeliveries(env: Env, news: readonly DeliveryNews[]): Promise<void> {
  const posts = news.flatMap(({ message, report }) => postOf(message, report) ?? [])
  if (posts.length === 0) return
  const postable = await findPostable(env, posts)
  await messagePosts(
    env,
    posts.filter((post) => postable.has(keyOf(post))),
  )
}

function postOf(row: DeliveredMessage, { status, errorCode, errorMessage }: DeliveryReport): Post | undefined {
  const message = { type: row.message_type ?? 'sms', to: row.to_number, errorCode, errorMessage }
  const text = statusNote(status, message)
  if (text === undefined || row.res_model === null || row.res_id === null) return undefined
  const thread = { model: row.res_model, id: row.res_id }
  return { ...thread, text, connectMessage: row.id, type: 'notification', subtype: 'note' }
}
