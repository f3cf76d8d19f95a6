import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { insert } from '../../platform/model/statements.ts'
import { storedTime } from '../../time.ts'
import { joinConversationSql } from './conversation-rows.ts'
import type { IncomingMessage } from './incoming-message.ts'
import { textMessageModel } from './message.ts'
import { STATUS_RANK } from './message-status.ts'
import type { Thread } from './thread.ts'

const INSERT = insert(textMessageModel, {
  name: 'message_receive',
  columns: [
    ...(['message_sid', 'account_sid', 'messaging_service_sid', 'from_number', 'to_number', 'body'] as const),
    ...(['num_media', 'message_type', 'status', 'status_rank', 'direction'] as const),
    ...(['from_city', 'from_state', 'from_zip', 'from_country', 'media', 'media_url', 'media_content_type'] as const),
    ...(['latitude', 'longitude', 'location_label', 'location_address', 'reply_id', 'reply_title'] as const),
    ...(['has_error', 'attempt', 'create_date', 'create_uid'] as const),
  ],
  once: 'message_sid',
  returning: ['id'],
})
type Columns<Name extends keyof RowOf<typeof textMessageModel>> = RowOf<typeof textMessageModel, Name>

const SET_THREAD = statement<never, Columns<'id' | 'partner' | 'res_model' | 'res_id' | 'parent_message'>>(
  'message_set_thread',
  // The conversation is counted on in the same statement: an incoming message takes no round trip more for it.
  sql`with ${joinConversationSql(sql`${param('partner')}::bigint`)}
      update connect_message set conversation = (select id from talk), partner = ${param('partner')}::bigint, res_model = ${param('res_model')},
        res_id = ${param('res_id')}::bigint, parent_message = ${param('parent_message')}::bigint where id = ${param('id')}`,
)
type ThreadedRow = Columns<'id' | 'res_model' | 'res_id'>
const BY_SID = statement<ThreadedRow, { sid: string }>(
  'message_thread_by_sid',
  sql`select id, res_model, res_id from connect_message where message_sid = ${param('sid')}`,
)
/** Written down by hand and never sent: the other side knows nothing of it, so it leads none of their texts anywhere. */
const NO_DRAFT = sql`not (status = 'draft' and coalesce(attempt, 0) = 0)`

const NEWEST = statement<ThreadedRow, { from: string; to: string }>(
  'message_thread_newest',
  sql`select id, res_model, res_id from connect_message
      where from_number = ${param('from')} and to_number = ${param('to')} and ${NO_DRAFT} order by id desc limit 1`,
)
const EARLIER_CONTACT = statement<{ partner: number }, { from: string; to: string }>(
  'message_earlier_contact',
  sql`select partner from connect_message
      where from_number = ${param('from')} and to_number = ${param('to')} and partner is not null and ${NO_DRAFT}
      order by id desc limit 1`,
)

/** What a stored message says of the conversation it belongs to. */
interface StoredMessage {
  id: number
  thread: Thread | undefined
}

/** Stores an incoming message once; undefined when it is stored already. */
export async function insertIncoming(env: Env, message: IncomingMessage): Promise<number | undefined> {
  const { location, chosen, media, origin } = message
  const [row] = await env.db.run(INSERT, {
    message_sid: message.sid,
    account_sid: message.accountSid,
    messaging_service_sid: message.serviceSid,
    from_number: message.from,
    to_number: message.to,
    body: message.body,
    num_media: message.mediaCount,
    message_type: message.type,
    status: 'received',
    status_rank: STATUS_RANK.received,
    direction: 'incoming',
    from_city: origin.city,
    from_state: origin.state,
    from_zip: origin.zip,
    from_country: origin.country,
    media: media.length === 0 ? null : JSON.stringify(media),
    media_url: media[0]?.url ?? null,
    media_content_type: media[0]?.type ?? null,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    location_label: location?.label ?? null,
    location_address: location?.address ?? null,
    reply_id: chosen?.id ?? null,
    reply_title: chosen?.title ?? null,
    has_error: false,
    attempt: 0,
    create_date: storedTime(env.now),
    create_uid: env.identity.userId,
  })
  return row?.id
}

/** Saves where a stored message belongs. */
export function setThread(
  db: Transaction,
  id: number,
  { thread, partnerId, parentId }: { thread: Thread; partnerId: number | undefined; parentId: number | undefined },
): void {
  const links = { partner: partnerId ?? null, parent_message: parentId ?? null }
  db.send(SET_THREAD, { id, ...links, res_model: thread.model, res_id: thread.id })
}

export async function findMessageBySid(db: Queryable, sid: string): Promise<StoredMessage | undefined> {
  return toStored(await db.run(BY_SID, { sid }))
}

/** The newest message from one number to another. */
export async function findNewestMessage(
  db: Queryable,
  parties: { from: string; to: string },
): Promise<StoredMessage | undefined> {
  return toStored(await db.run(NEWEST, parties))
}

/** The contact of the newest message from one number to another that has one. */
export async function findEarlierContact(
  db: Queryable,
  parties: { from: string; to: string },
): Promise<number | undefined> {
  const rows = await db.run(EARLIER_CONTACT, parties)
  return rows[0]?.partner
}

function toStored([row]: readonly ThreadedRow[]): StoredMessage | undefined {
  if (row === undefined) return undefined
  const hasThread = row.res_model !== null && row.res_id !== null && row.res_model !== ''
  return { id: row.id, thread: hasThread ? { model: row.res_model ?? '', id: row.res_id ?? 0 } : undefined }
}
