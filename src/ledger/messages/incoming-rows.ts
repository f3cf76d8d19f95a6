import { type SQL, sql } from '../../database/drizzle.ts'
import { statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import {
  insertEachPostSql,
  linkParagraph,
  messageModel,
  type Post,
  postParams,
} from '../../platform/chatter/chatter.ts'
import { type GivenRows, givenRows } from '../../platform/model/given-rows.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { notifyAllChangedSql, notifyChanged } from '../../platform/records/notify-changed.ts'
import { storedTime } from '../../time.ts'
import { isWithheld } from '../../withheld.ts'
import { JOIN_CONVERSATIONS } from './conversation-rows.ts'
import type { IncomingMessage } from './incoming-message.ts'
import { textMessageModel } from './message.ts'
import { locationText, mapUrl } from './message-parts.ts'
import { STATUS_RANK } from './message-status.ts'
import { mediaPath } from './message-words.ts'
import { channelOf, rememberOptOuts } from './opt-out.ts'
import type { Thread } from './thread.ts'

const WRITTEN = [
  ...(['message_sid', 'account_sid', 'messaging_service_sid', 'from_number', 'to_number', 'body'] as const),
  ...(['num_media', 'message_type'] as const),
  ...(['from_city', 'from_state', 'from_zip', 'from_country', 'media', 'media_url', 'media_content_type'] as const),
  ...(['latitude', 'longitude', 'location_label', 'location_address', 'reply_id', 'reply_title'] as const),
  ...(['wire_address', 'external_user_id'] as const),
  ...(['create_date', 'create_uid', 'partner', 'res_model', 'res_id', 'parent_message'] as const),
] as const
/** What is the same of every message that comes, in SQL: not sent for each of them. */
const OF_ALL = {
  direction: sql`'incoming'`,
  status: sql`'received'`,
  status_rank: sql.raw(String(STATUS_RANK.received)),
  has_error: sql`false`,
  attempt: sql`0`,
} satisfies Partial<Record<keyof RowOf<typeof textMessageModel>, SQL>>
const OF_ALL_COLUMNS = Object.keys(OF_ALL) as (keyof typeof OF_ALL)[]
const OF_ALL_VALUES = sql.join(Object.values(OF_ALL), sql`, `)

/** Stands for the id of a message in its post until the database has given it. No text of a post has it: `<` is escaped there. */
const ID_OF_MESSAGE = '<id>'

// Ids first, in the order in which the messages came: conversations are counted on by them. The posts go along, for one statement
// less, and nobody waits for what it answers; whatever became of its conversation, no message is left out.
const INSERT = statement<never, GivenRows>(
  'messages_receive',
  sql`with given as materialized (
      select nextval('connect_message_id_seq') as id, r.channel, r.theirs, r.html, r.author, ${columnsOf(textMessageModel, WRITTEN, 'r')}
      from ${givenRows(textMessageModel, WRITTEN, { channel: 'text', theirs: 'text', html: 'text', author: 'bigint' })}),
    m as (
      select id, partner, create_date, channel, to_number as ours, theirs, id as open, id as incoming
      from given),
    ${JOIN_CONVERSATIONS},
    stored as (
      insert into connect_message (id, conversation, write_uid, ${columnsOf(textMessageModel, [...OF_ALL_COLUMNS, ...WRITTEN])})
      select g.id, talk.id, g.create_uid, ${OF_ALL_VALUES}, ${columnsOf(textMessageModel, WRITTEN, 'g')} from given g
      left join talk on talk.channel = g.channel and talk.ours = g.to_number and talk.theirs = g.theirs
      order by g.id returning id, null::bigint as call),
    posted as (
      ${insertEachPostSql(sql`given g order by g.id`, {
        model: sql`g.res_model`,
        res_id: sql`g.res_id`,
        body: sql`replace(g.html, ${sql.raw(`'${ID_OF_MESSAGE}'`)}, g.id::text)`,
        message_type: sql`g.message_type`,
        subtype: sql`'comment'`,
        author_id: sql`g.author`,
        author_name: sql`null::text`,
        date: sql`g.create_date`,
        connect_message: sql`g.id`,
        changes: sql`null::jsonb`,
        create_uid: sql`g.create_uid`,
      })}, null::bigint as call)
    ${notifyAllChangedSql(textMessageModel.name, sql`stored`)} union all ${notifyAllChangedSql(messageModel.name, sql`posted`)}`,
)

/** An incoming message, and where it belongs. */
export interface PlacedMessage {
  readonly message: IncomingMessage
  readonly thread: Thread
  /** The message that it answers. */
  readonly parentId: number | undefined
  readonly partnerId: number | undefined
}

/** Stores incoming messages, none of which is stored yet, in their conversations, and posts them where they belong. */
export async function storeIncoming(env: Env, placed: readonly PlacedMessage[]): Promise<void> {
  env.db.send(INSERT, { rows: placed.map((each) => toRow(env, each)) })
  rememberOptOuts(
    env,
    placed.map(({ message }) => message),
  )
  for (const [model, ofModel] of Map.groupBy(placed, ({ thread }) => thread.model)) {
    await notifyChanged(env, model, [...new Set(ofModel.map(({ thread }) => thread.id))])
  }
}

type IncomingRow = RowOf<typeof textMessageModel, (typeof WRITTEN)[number]> & {
  channel: string
  /** With whom the conversation is: that of somebody who withholds their number is this one message. */
  theirs: string
  html: string | null
  author: number | null
}

function toRow(env: Env, placed: PlacedMessage): IncomingRow {
  const { message, thread, parentId, partnerId } = placed
  const { location, chosen, media, origin } = message
  const post = postParams(env, toPost(placed))
  return {
    channel: channelOf(message.type),
    theirs: isWithheld(message.from) ? `${message.from} ${message.sid}` : message.from,
    html: post.body + message.media.map((_each, at) => mediaLink(at)).join(''),
    author: post.author_id,
    message_sid: message.sid,
    account_sid: message.accountSid,
    messaging_service_sid: message.serviceSid,
    from_number: message.from,
    to_number: message.to,
    body: message.body,
    num_media: message.mediaCount,
    message_type: message.type,
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
    wire_address: message.wireAddress,
    external_user_id: message.externalUserId,
    create_date: storedTime(env.now),
    create_uid: env.identity.userId,
    partner: partnerId ?? null,
    res_model: thread.model,
    res_id: thread.id,
    parent_message: parentId ?? null,
  }
}

/** A link to what came with a message, on this service: the provider's address is nobody else's business. */
function mediaLink(at: number): string {
  return linkParagraph(mediaPath('', at)).replaceAll('//media/', `/${ID_OF_MESSAGE}/media/`)
}

function toPost({ message, thread, partnerId }: PlacedMessage): Post {
  return {
    ...thread,
    text: postText(message),
    links: message.location ? [mapUrl(message.location)] : [],
    type: message.type,
    authorId: partnerId,
  }
}

/** What the post says: the text, and what was shared or chosen beside it where that is something else. */
function postText({ body, location, chosen }: IncomingMessage): string {
  const lines = [body, location === undefined ? '' : locationText(location), chosen?.title ?? '']
  return [...new Set(lines.filter((line) => line.trim() !== ''))].join('\n\n')
}
