import type { Env } from '../../platform/access/env.ts'
import { messagePost } from '../../platform/chatter/chatter.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { DeliveryReport } from './delivery.ts'
import type { textMessageModel } from './message.ts'
import { statusNote } from './message-status.ts'
import { mayPost } from './thread.ts'

/** What of a message the post about its delivery says. */
export type DeliveredMessage = RowOf<
  typeof textMessageModel,
  'id' | 'message_type' | 'to_number' | 'res_model' | 'res_id'
>

/** Posts on the thread what became of a message, where that is news. */
export async function postDelivery(
  env: Env,
  row: DeliveredMessage,
  { status, errorCode, errorMessage }: DeliveryReport,
): Promise<void> {
  const message = { type: row.message_type ?? 'sms', to: row.to_number, errorCode, errorMessage }
  const text = statusNote(status, message)
  if (text === undefined || row.res_model === null || row.res_id === null) return
  if (!(await mayPost(env, { model: row.res_model, id: row.res_id }))) return
  const post = { model: row.res_model, id: row.res_id, text, connectMessage: row.id }
  await messagePost(env, { ...post, type: 'notification', subtype: 'note' })
}
