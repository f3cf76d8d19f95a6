import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { type GivenRows, givenRows } from '../../platform/model/given-rows.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { type ProviderForm, readLine, readSid } from '../legs/provider-form.ts'
import { type DeliveryReport, type MessageProgress, mergeDelivery } from './delivery.ts'
import { textMessageModel } from './message.ts'
import { tellMessageNews } from './message-news.ts'
import { parseMessageStatus } from './message-status.ts'
import { rememberRefused } from './opt-out.ts'
import { type DeliveredMessage, postDeliveries } from './post-delivery.ts'
import { readSendRef, type SendRef } from './send-ref.ts'

const READ = [
  ...(['id', 'message_sid', 'attempt', 'message_type', 'to_number', 'status', 'status_rank'] as const),
  ...(['has_error', 'error_code', 'error_message', 'res_model', 'res_id'] as const),
] as const
type MessageRow = RowOf<typeof textMessageModel, (typeof READ)[number]>

// The status of a message of ours may overtake the provider's answer that tells its id, so it is looked for by our own id too;
// what came to be known while another process held the row is read with the lock. Locked in one order, so that two lists of
// reports on the same messages never wait for each other in a circle.
const LOCK = statement<MessageRow, { sids: readonly string[]; ids: readonly number[] }>(
  'messages_of_reports',
  sql`select ${columnsOf(textMessageModel, READ)} from connect_message
      where id in (select id from connect_message where message_sid in ${listed('sids', 'text')}
        union all select * from ${listed('ids', 'bigint')} as named) order by id for update`,
)
const WRITTEN = ['message_sid', 'status', 'status_rank', 'has_error', 'error_code', 'error_message'] as const
const UPDATE = statement<never, GivenRows & { writer: number | null }>(
  'messages_status_update',
  sql`update connect_message m set message_sid = r.message_sid, status = r.status, status_rank = r.status_rank,
        has_error = r.has_error, error_code = r.error_code, error_message = r.error_message,
        ${writtenBy(param('writer'))}
      from ${givenRows(textMessageModel, WRITTEN, { id: 'bigint' })} where m.id = r.id`,
)

/** Records how far messages of ours have come. None moves back, whatever the order and number of the reports. */
export async function recordMessageStatuses(env: Env, requests: readonly ProviderForm[]): Promise<void> {
  await recordDeliveries(
    env,
    requests.flatMap((request) => readStatus(request) ?? []),
  )
}

/** In the place of a code where nothing is known of the reason. */
const NO_ERROR = '0'

function readStatus({ form, query }: ProviderForm): Reported | undefined {
  const sid = readSid(form.MessageSid || form.SmsSid)
  const status = parseMessageStatus(form.MessageStatus || form.SmsStatus)
  if (sid === '' || status === undefined) return undefined
  const errorMessage = readLine(form.ErrorMessage || form.ChannelStatusMessage)
  const code = readLine(form.ErrorCode)
  const report = { status, errorCode: code === NO_ERROR ? null : code, errorMessage }
  return { sid, ref: readSendRef(query.get('ref')), report }
}

/** Which message is meant: by the provider's id, or by our own attempt while that id is not known. */
interface MessageName {
  sid: string | undefined
  ref: SendRef | undefined
}

interface Reported extends MessageName {
  report: DeliveryReport
}

/** Records what is known of the delivery of a message; nothing when there is no such message. */
export function recordDelivery(env: Env, name: MessageName, report: DeliveryReport): Promise<void> {
  return recordDeliveries(env, [{ ...name, report }])
}

/** A message, and what is known of it after the reports so far. */
interface Reporting {
  readonly row: MessageRow
  sid: string | null
  delivery: MessageProgress
}

async function recordDeliveries(env: Env, reported: readonly Reported[]): Promise<void> {
  if (reported.length === 0) return
  const messages = await lockMessages(env.db, reported)
  const news: { message: DeliveredMessage; report: DeliveryReport }[] = []
  for (const { report, ...name } of reported) {
    const found = findMessage(messages, name)
    if (found === undefined) continue
    const before = found.delivery
    found.sid ??= name.sid ?? null
    found.delivery = mergeDelivery(before, report)
    if (found.delivery.rank > before.rank) news.push({ message: found.row, report: found.delivery })
  }
  for (const { message, report } of news) rememberRefused(env, message.id, report.errorCode)
  const changed = messages.filter(isChanged)
  if (changed.length > 0) env.db.send(UPDATE, { rows: changed.map(toRow), writer: writerOf(env) })
  await tellMessageNews(
    env,
    news.map(({ message }) => message),
  )
  await postDeliveries(env, news)
}

async function lockMessages(db: Queryable, reported: readonly MessageName[]): Promise<Reporting[]> {
  const sids = new Set(reported.flatMap(({ sid }) => sid ?? []))
  const ids = new Set(reported.flatMap(({ ref }) => ref?.id ?? []))
  const rows = await db.run(LOCK, { sids: [...sids], ids: [...ids] })
  return rows.map((row) => ({ row, sid: row.message_sid, delivery: storedDelivery(row) }))
}

function findMessage(messages: readonly Reporting[], { sid, ref }: MessageName): Reporting | undefined {
  const known = sid === undefined ? undefined : messages.find((each) => each.sid === sid)
  if (known !== undefined || ref === undefined) return known
  const meant = messages.find(({ row }) => row.id === ref.id && row.attempt === ref.attempt)
  return meant !== undefined && (meant.sid === null || meant.sid === sid) ? meant : undefined
}

function storedDelivery(row: MessageRow): MessageProgress {
  return {
    status: row.status ?? 'draft',
    rank: row.status_rank ?? 0,
    hasError: row.has_error === true,
    errorCode: row.error_code,
    errorMessage: row.error_message,
  }
}

function isChanged({ row, sid, delivery }: Reporting): boolean {
  const before = storedDelivery(row)
  const names = ['status', 'rank', 'hasError', 'errorCode', 'errorMessage'] as const
  return sid !== row.message_sid || names.some((name) => before[name] !== delivery[name])
}

function toRow({ row, sid, delivery }: Reporting): RowOf<typeof textMessageModel, 'id' | (typeof WRITTEN)[number]> {
  return {
    id: row.id,
    message_sid: sid,
    status: delivery.status,
    status_rank: delivery.rank,
    has_error: delivery.hasError,
    error_code: delivery.errorCode,
    error_message: delivery.errorMessage,
  }
}
