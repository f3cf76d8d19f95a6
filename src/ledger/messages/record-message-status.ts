import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { type ProviderForm, readLine, readSid } from '../legs/provider-form.ts'
import { type Delivery, type DeliveryReport, mergeDelivery } from './delivery.ts'
import { textMessageModel } from './message.ts'
import { parseMessageStatus } from './message-status.ts'
import { postDelivery } from './post-delivery.ts'
import { readSendRef, type SendRef } from './send-ref.ts'

const READ = [
  ...(['id', 'message_type', 'to_number', 'status', 'status_rank'] as const),
  ...(['has_error', 'error_code', 'error_message', 'res_model', 'res_id'] as const),
] as const
type MessageRow = RowOf<typeof textMessageModel, (typeof READ)[number]>
const COLUMNS = columnsOf(textMessageModel, READ)

const BY_SID = statement<MessageRow, { sid: string }>(
  'message_status_by_sid',
  sql`select ${COLUMNS} from connect_message where message_sid = ${param('sid')} for update`,
)
// The status of a message of ours may overtake the provider's answer that tells its id.
// That answer may have been written since the id was looked for, so the row may have it by now.
const BY_REF = statement<MessageRow, SendRef & { sid: string | null }>(
  'message_status_by_ref',
  sql`select ${COLUMNS} from connect_message
      where id = ${param('id')} and attempt = ${param('attempt')}
        and (message_sid is null or message_sid = ${param('sid')}::text) for update`,
)
type DeliveryColumns = RowOf<
  typeof textMessageModel,
  'id' | 'message_sid' | 'status' | 'status_rank' | 'has_error' | 'error_code' | 'error_message'
>
const UPDATE_STATUS = statement<never, DeliveryColumns>(
  'message_status_update',
  sql`update connect_message set message_sid = coalesce(message_sid, ${param('message_sid')}::text), status = ${param('status')},
        status_rank = ${param('status_rank')}::int, has_error = ${param('has_error')}::bool, error_code = ${param('error_code')},
        error_message = ${param('error_message')}, write_date = now() at time zone 'utc' where id = ${param('id')}`,
)

/** Records how far messages of ours have come. None moves back, whatever the order and number of the reports. */
export async function recordMessageStatuses(env: Env, requests: readonly ProviderForm[]): Promise<void> {
  for (const { form, query } of requests) {
    const sid = readSid(form.MessageSid || form.SmsSid)
    const status = parseMessageStatus(form.MessageStatus || form.SmsStatus)
    if (sid === '' || status === undefined) continue
    const errorMessage = readLine(form.ErrorMessage || form.ChannelStatusMessage)
    const report = { status, errorCode: readLine(form.ErrorCode), errorMessage }
    await recordDelivery(env, { sid, ref: readSendRef(query.get('ref')) }, report)
  }
}

/** Which message is meant: by the provider's id, or by our own attempt while that id is not known. */
interface MessageName {
  sid: string | undefined
  ref: SendRef | undefined
}

/** Records what is known of the delivery of a message; nothing when there is no such message. */
export async function recordDelivery(env: Env, name: MessageName, report: DeliveryReport): Promise<void> {
  const row = await findMessage(env.db, name)
  if (row === undefined) return
  const stored: Delivery = {
    status: row.status ?? 'draft',
    rank: row.status_rank ?? 0,
    hasError: row.has_error === true,
    errorCode: row.error_code,
    errorMessage: row.error_message,
  }
  const merged = mergeDelivery(stored, report)
  await env.db.run(UPDATE_STATUS, {
    id: row.id,
    message_sid: name.sid ?? null,
    status: merged.status,
    status_rank: merged.rank,
    has_error: merged.hasError,
    error_code: merged.errorCode,
    error_message: merged.errorMessage,
  })
  if (merged.rank <= stored.rank) return
  await notifyChanged(env, 'connect.message', [row.id])
  await postDelivery(env, row, merged)
}

async function findMessage(db: Queryable, { sid, ref }: MessageName): Promise<MessageRow | undefined> {
  const [known] = sid === undefined ? [] : await db.run(BY_SID, { sid })
  if (known !== undefined || ref === undefined) return known
  const [waiting] = await db.run(BY_REF, { ...ref, sid: sid ?? null })
  return waiting
}
