import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { formsOfSubscriber } from '../../number-plans.ts'
import type { Env } from '../../platform/access/env.ts'
import { typeOfEnding } from '../../platform/media/shown-type.ts'
import { insert } from '../../platform/model/statements.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { storedMs, storedTime } from '../../time.ts'
import { countIn } from './conversation-rows.ts'
import { textMessageModel } from './message.ts'
import { tellMessageNews } from './message-news.ts'
import { STATUS_RANK } from './message-status.ts'
import type { MessageType } from './message-words.ts'
import { type DeliveredMessage, postDeliveries } from './post-delivery.ts'
import type { SendRef } from './send-ref.ts'
import type { Thread } from './thread.ts'

/** A text that somebody wants to be sent. */
interface NewOutgoing {
  from: string
  to: string
  /** Where the provider is to send it, where that is written in another way. */
  wireAddress: string | null
  type: MessageType
  body: string
  mediaUrls: readonly string[]
  content: { sid: string; variables: Record<string, string> | undefined } | undefined
  partnerId: number | undefined
  thread: Thread | undefined
}

/** A message that this process has claimed to hand it to the provider. */
export interface ClaimedMessage {
  from_number: string
  to_number: string
  wire_address: string | null
  message_type: MessageType
  body: string | null
  media: { url: string }[] | null
  content_sid: string | null
  content_variables: Record<string, string> | null
}

const MS_PER_HOUR = 3_600_000
/** How long after somebody's last message they may be written to freely; WhatsApp's own rule. */
const WINDOW_HOURS = 24

const QUEUED = sql.raw(String(STATUS_RANK.queued))

const INSERT = insert(textMessageModel, {
  name: 'message_draft',
  columns: [
    ...(['from_number', 'to_number', 'body', 'num_media', 'media', 'media_url', 'media_content_type'] as const),
    ...(['message_type', 'status'] as const),
    ...(['status_rank', 'direction', 'sender_user', 'partner', 'res_model', 'res_id', 'content_sid'] as const),
    ...([
      'content_variables',
      'attempt',
      'has_error',
      'account_sid',
      'create_date',
      'create_uid',
      'wire_address',
    ] as const),
  ],
  returning: ['id', 'attempt'],
})
// The service sends what somebody wrote: it stays written by them.
const STILL_THEIRS = writtenBy(sql`write_uid`)
const CLAIM = statement<ClaimedMessage, { id: number; attempt: number }>(
  'message_claim',
  sql`update connect_message set status = 'queued', status_rank = ${QUEUED}, error_message = null,
        ${STILL_THEIRS}
      where id = ${param('id')} and attempt = ${param('attempt')} and status = 'draft' and message_sid is null
      returning from_number, to_number, wire_address, message_type, body, media, content_sid, content_variables`,
)
type Posted = Pick<DeliveredMessage, 'id' | 'res_model' | 'res_id'>
const RELEASE = statement<Posted, { id: number; attempt: number; reason: string }>(
  'message_release',
  sql`update connect_message set status = 'draft', status_rank = 0, error_message = ${param('reason')}, ${STILL_THEIRS}
      where id = ${param('id')} and attempt = ${param('attempt')} and status = 'queued' and message_sid is null
      returning id, res_model, res_id`,
)
// The rank stays that of a queued message: news of the provider, however late, still counts.
const MARK_LOST = statement<DeliveredMessage, { id: number; attempt: number; reason: string }>(
  'message_mark_lost',
  sql`update connect_message set status = 'failed', has_error = true, error_message = ${param('reason')},
        ${STILL_THEIRS}
      where id = ${param('id')} and attempt = ${param('attempt')} and status = 'queued' and message_sid is null
      returning id, message_type, to_number, res_model, res_id`,
)
const RESET = statement<Posted & { attempt: number }, { id: number; writer: number | null }>(
  'message_reset',
  sql`update connect_message set status = 'draft', status_rank = 0, message_sid = null, attempt = coalesce(attempt, 0) + 1,
        has_error = false, error_code = null, error_message = null, ${writtenBy(param('writer'))}
      where id = ${param('id')} and status in ('failed', 'undelivered') and direction is distinct from 'incoming'
      returning id, attempt, res_model, res_id`,
)
// The window belongs to the pair: an answer to one of our senders lets nobody write from another.
const LAST_INCOMING = statement<{ create_date: string }, { senders: readonly string[]; number: string }>(
  'message_last_whatsapp',
  sql`select create_date from connect_message
      where from_number = ${param('number')} and to_number in ${listed('senders', 'text')} and message_type = 'WhatsApp'
        and direction = 'incoming' order by id desc limit 1`,
)

/** Stores a message that is to be sent, as a draft. */
export async function insertOutgoing(env: Env, message: NewOutgoing): Promise<SendRef> {
  const { mediaUrls, content, thread } = message
  const user = env.identity.userId > 0 ? env.identity.userId : null
  const [row] = await env.db.run(INSERT, {
    from_number: message.from,
    to_number: message.to,
    body: message.body,
    num_media: mediaUrls.length,
    ...mediaColumns(message),
    message_type: message.type,
    status: 'draft',
    status_rank: STATUS_RANK.draft,
    direction: 'outgoing',
    sender_user: user,
    partner: message.partnerId ?? null,
    res_model: thread?.model ?? null,
    res_id: thread?.id ?? null,
    content_sid: content?.sid ?? null,
    content_variables: content?.variables === undefined ? null : JSON.stringify(content.variables),
    attempt: 1,
    has_error: false,
    account_sid: env.settings.accountSid ?? null,
    create_date: storedTime(env.now),
    create_uid: user,
    wire_address: message.wireAddress,
  })
  if (row === undefined) throw new Error('the message was not stored')
  countIn(env, row.id)
  return { id: row.id, attempt: row.attempt ?? 1 }
}

/** Of a template, people reach its media by our own address only, and their types are what their addresses end in. */
function mediaColumns({ mediaUrls, content }: NewOutgoing) {
  const isOfTemplate = content !== undefined
  const media = mediaUrls.map((url) => ({ url, type: isOfTemplate ? typeIn(url) : null }))
  return {
    media: media.length === 0 ? null : JSON.stringify(media),
    media_url: isOfTemplate ? null : (mediaUrls[0] ?? null),
    media_content_type: media[0]?.type ?? null,
  }
}

/** The type that an address ends in. */
function typeIn(url: string): string | null {
  return (URL.canParse(url) ? typeOfEnding(new URL(url).pathname) : undefined) ?? null
}

/** Claims a draft for sending; undefined when it was claimed before, so that no message is sent twice. */
export async function claimMessage(db: Queryable, ref: SendRef): Promise<ClaimedMessage | undefined> {
  const [claimed] = await db.run(CLAIM, ref)
  return claimed
}

/** Makes a claimed message a draft again, because it surely was not sent; its record says why it waits. */
export async function releaseMessage(env: Env, ref: SendRef, reason: string): Promise<void> {
  await tellMessageNews(env, await env.db.run(RELEASE, { ...ref, reason }))
}

/** Marks a claimed message as lost, because nobody knows whether it was sent; false when its fate is known after all. */
export async function markLost(env: Env, ref: SendRef, reason: string): Promise<boolean> {
  const [lost] = await env.db.run(MARK_LOST, { ...ref, reason })
  if (lost === undefined) return false
  await tellMessageNews(env, [lost])
  await postDeliveries(env, [{ message: lost, report: { status: 'failed', errorCode: null, errorMessage: reason } }])
  return true
}

/** Makes a failed message a draft once more; undefined when it is not a failed one. */
export async function resetToDraft(env: Env, id: number): Promise<SendRef | undefined> {
  const [row] = await env.db.run(RESET, { id, writer: writerOf(env) })
  if (row === undefined) return undefined
  await tellMessageNews(env, [row])
  return { id: row.id, attempt: row.attempt }
}

/** Whether free text may be sent to this number on WhatsApp; outside the window the provider takes approved templates only. */
export async function isWindowOpen(env: Env, { number, sender }: { number: string; sender: string }): Promise<boolean> {
  const [last] = await env.db.run(LAST_INCOMING, { number, senders: formsOfSubscriber(sender) })
  return last !== undefined && env.now.getTime() - storedMs(last.create_date) < WINDOW_HOURS * MS_PER_HOUR
}
