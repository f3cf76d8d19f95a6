import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { IncomingMessage } from './incoming-message.ts'

/** The business record that a conversation belongs to. */
export interface Thread {
  model: string
  id: number
}

const INSERT = statement<{ id: number }, Record<string, unknown>>(
  'message_receive',
  sql`insert into connect_message (message_sid, account_sid, messaging_service_sid, from_number, to_number, body,
        num_media, message_type, status, status_rank, direction, from_city, from_state, from_zip, from_country, media,
        media_url, media_content_type, latitude, longitude, location_label, location_address, reply_id, reply_title, has_error, attempt, create_date, create_uid)
      values (${param('sid')}, ${param('account_sid')}, ${param('service_sid')}, ${param('from')}, ${param('to')},
        ${param('body')}, ${param('num_media')}::int, ${param('type')}, 'received', ${param('rank')}::int, 'incoming',
        ${param('city')}, ${param('state')}, ${param('zip')}, ${param('country')}, ${param('media')}::jsonb,
        ${param('media_url')}, ${param('media_type')}, ${param('latitude')}::float8, ${param('longitude')}::float8,
        ${param('label')}, ${param('address')}, ${param('reply_id')}, ${param('reply_title')}, false, 0, ${param('now')}::timestamp, ${param('create_uid')}::bigint)
      on conflict (message_sid) do nothing returning id`,
)
const SET_THREAD = statement<
  never,
  { id: number; partner: number | null; model: string; res_id: number; parent: number | null }
>(
  'message_set_thread',
  sql`update connect_message set partner = ${param('partner')}::bigint, res_model = ${param('model')},
        res_id = ${param('res_id')}::bigint, parent_message = ${param('parent')}::bigint where id = ${param('id')}`,
)
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

interface ThreadedRow {
  id: number
  res_model: string | null
  res_id: number | null
}

/** What a stored message says of the conversation it belongs to. */
export interface StoredMessage {
  id: number
  thread: Thread | undefined
}

/** Stores an incoming message once; undefined when it is stored already. */
export async function insertIncoming(env: Env, message: IncomingMessage, rank: number): Promise<number | undefined> {
  const [first] = message.media
  const { location, chosen } = message
  const rows = await env.db.run(INSERT, {
    sid: message.sid,
    account_sid: message.accountSid,
    service_sid: message.serviceSid,
    from: message.from,
    to: message.to,
    body: message.body,
    num_media: message.mediaCount,
    type: message.type,
    rank,
    ...message.place,
    media: message.media.length === 0 ? null : JSON.stringify(message.media),
    media_url: first?.url ?? null,
    media_type: first?.type ?? null,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    label: location?.label ?? null,
    address: location?.address ?? null,
    reply_id: chosen?.id ?? null,
    reply_title: chosen?.title ?? null,
    now: storedTime(env.now),
    create_uid: env.identity.userId,
  })
  return rows[0]?.id
}

/** Saves where a stored message belongs. */
export function setThread(
  db: Transaction,
  id: number,
  { thread, partnerId, parentId }: { thread: Thread; partnerId: number | undefined; parentId: number | undefined },
): void {
  const values = { partner: partnerId ?? null, parent: parentId ?? null, model: thread.model, res_id: thread.id }
  db.send(SET_THREAD, { id, ...values })
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

/** A moment as it is stored: UTC without zone. */
export function storedTime(moment: Date): string {
  return moment.toISOString().slice(0, -1).replace('T', ' ')
}

function toStored([row]: readonly ThreadedRow[]): StoredMessage | undefined {
  if (row === undefined) return undefined
  const hasThread = row.res_model !== null && row.res_id !== null && row.res_model !== ''
  return { id: row.id, thread: hasThread ? { model: row.res_model ?? '', id: row.res_id ?? 0 } : undefined }
}
