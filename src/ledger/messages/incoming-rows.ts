import { sql } from '../../database/drizzle.ts'
import { statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf, rowsOf } from '../../platform/model/statements.ts'
import { storedTime } from '../../time.ts'
import { JOIN_CONVERSATIONS } from './conversation-rows.ts'
import type { IncomingMessage } from './incoming-message.ts'
import { textMessageModel } from './message.ts'
import { STATUS_RANK } from './message-status.ts'
import type { Thread } from './thread.ts'

const WRITTEN = [
  ...(['message_sid', 'account_sid', 'messaging_service_sid', 'from_number', 'to_number', 'body'] as const),
  ...(['num_media', 'message_type', 'status', 'status_rank', 'direction'] as const),
  ...(['from_city', 'from_state', 'from_zip', 'from_country', 'media', 'media_url', 'media_content_type'] as const),
  ...(['latitude', 'longitude', 'location_label', 'location_address', 'reply_id', 'reply_title'] as const),
  ...(['has_error', 'attempt', 'create_date', 'create_uid'] as const),
  ...(['partner', 'res_model', 'res_id', 'parent_message'] as const),
] as const

// Ids first, in the order in which the messages came: conversations are counted on by them.
const INSERT = statement<{ id: number; message_sid: string }, { rows: string }>(
  'messages_receive',
  sql`with given as materialized (
      select nextval('connect_message_id_seq') as id, r.channel, ${columnsOf(textMessageModel, WRITTEN, 'r')}
      from ${rowsOf(textMessageModel, WRITTEN, { channel: 'text' })}),
    m as (
      select id, partner, create_date, channel, to_number as ours, from_number as theirs, id as open, id as incoming
      from given),
    ${JOIN_CONVERSATIONS}
    insert into connect_message (id, conversation, ${columnsOf(textMessageModel, WRITTEN)})
    select g.id, talk.id, ${columnsOf(textMessageModel, WRITTEN, 'g')} from given g
    join talk on talk.channel = g.channel and talk.ours = g.to_number and talk.theirs = g.from_number
    order by g.id returning id, message_sid`,
)

/** An incoming message, and where it belongs. */
export interface PlacedMessage {
  readonly message: IncomingMessage
  readonly thread: Thread
  /** The message that it answers. */
  readonly parentId: number | undefined
  readonly partnerId: number | undefined
}

/** Stores incoming messages, none of which is stored yet, in their conversations; answers their ids in the same order. */
export async function insertIncoming(env: Env, placed: readonly PlacedMessage[]): Promise<number[]> {
  const rows = placed.map((each) => ({ ...toRow(env, each), channel: channelOf(each.message) }))
  const stored = await env.db.run(INSERT, { rows: JSON.stringify(rows) })
  const ids = new Map(stored.map(({ id, message_sid: sid }) => [sid, id]))
  return placed.map(({ message }) => {
    const id = ids.get(message.sid)
    if (id === undefined) throw new Error('the message was not stored')
    return id
  })
}

/** Texts and pictures are one conversation. */
function channelOf({ type }: IncomingMessage): string {
  return type === 'WhatsApp' ? type : 'sms'
}

function toRow(
  env: Env,
  { message, thread, parentId, partnerId }: PlacedMessage,
): RowOf<typeof textMessageModel, (typeof WRITTEN)[number]> {
  const { location, chosen, media, origin } = message
  return {
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
    media: media.length === 0 ? null : media,
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
    partner: partnerId ?? null,
    res_model: thread.model,
    res_id: thread.id,
    parent_message: parentId ?? null,
  }
}
