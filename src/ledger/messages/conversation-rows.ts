import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList, idOf } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { storedTime } from '../../time.ts'
import { isWithheldSql } from '../calls/caller-identity.ts'

const OURS = sql`case when m.direction = 'incoming' then m.to_number else m.from_number end`
/** Each message of somebody who withholds their number is a conversation of its own. */
const SENDER = sql`case when ${isWithheldSql(sql`m.from_number`)} then m.from_number || ' ' || coalesce(m.message_sid, m.id::text)
  else m.from_number end`
const THEIRS = sql`case when m.direction = 'incoming' then ${SENDER} else m.to_number end`
const CHANNEL = sql`case when m.message_type = 'WhatsApp' then 'WhatsApp' else 'sms' end`
const OPEN = sql`case when m.sender_user is null then m.id end`
const INCOMING = sql`case when m.direction = 'incoming' then m.id end`
const IS_NEW_INCOMING = sql`excluded.last_incoming > coalesce(stored.last_incoming, 0)`
const IS_THE_CONVERSATION = sql`present.channel = m.channel and present.ours = m.ours and present.theirs = m.theirs`

/**
 * For a statement with more to do, which begins with the messages `m`: `talk` has the id and the parties of their
 * conversations, made where they are not there, with the messages counted in. Repeating it changes nothing. A new incoming
 * message opens its conversation. Conversations are written in one order, so that nobody who writes several waits in a circle.
 */
export const JOIN_CONVERSATIONS = sql`talk as (
    insert into connect_conversation as stored
      (id, channel, ours, theirs, partner, last_message, last_open, last_incoming, last_incoming_at)
    select ${idOf('connect_conversation', IS_THE_CONVERSATION)}, m.* from (
      select channel, ours, theirs, (array_agg(partner order by id desc) filter (where partner is not null))[1] as partner,
        max(id), max(open), max(incoming), max(case when incoming is not null then create_date end)
      from m group by channel, ours, theirs order by channel, ours, theirs) m
    on conflict (channel, ours, theirs) do update set
      partner = coalesce(excluded.partner, stored.partner),
      last_message = greatest(stored.last_message, excluded.last_message),
      last_open = greatest(stored.last_open, excluded.last_open),
      last_incoming = greatest(stored.last_incoming, excluded.last_incoming),
      last_incoming_at = greatest(stored.last_incoming_at, excluded.last_incoming_at),
      closed_at = case when ${IS_NEW_INCOMING} then null else stored.closed_at end,
      ${writtenBy(null)}
    returning id, channel, ours, theirs)`

const IS_READER = sql`present.conversation = talk.id and present."user" = m.sender_user`
/** What nobody has asked to be sent is no part of the conversation, and nobody's but its writer's. */
const IS_UNSENT = sql`m.status = 'draft' and coalesce(m.attempt, 0) = 0 and m.direction = 'outgoing'`
/** Anyone who writes has read what came before. */
const COUNT_IN = statement<never, { id: number }>(
  'conversation_count_in',
  sql`with m as (
      select m.id, m.sender_user, m.partner, m.create_date, ${CHANNEL} as channel, ${OURS} as ours, ${THEIRS} as theirs,
        ${OPEN} as open, ${INCOMING} as incoming
      from connect_message m where m.id = ${param('id')} and m.direction is not null and not (${IS_UNSENT})),
    ${JOIN_CONVERSATIONS},
    reader as (
      insert into connect_conversation_reader as stored (id, conversation, "user", own_last, read_up_to)
      select ${idOf('connect_conversation_reader', IS_READER)}, talk.id, m.sender_user, m.id, m.id from m, talk
      where m.sender_user is not null
      on conflict (conversation, "user") do update set own_last = greatest(stored.own_last, excluded.own_last),
        read_up_to = greatest(stored.read_up_to, excluded.read_up_to)
      returning 1)
    update connect_message set conversation = talk.id from talk where connect_message.id = ${param('id')}`,
)

/** Puts a stored message into its conversation. */
export function countIn(env: Pick<Env, 'db'>, id: number): void {
  env.db.send(COUNT_IN, { id })
}

/** Marks conversations as read by a person, up to their newest message. Answers ids of the marks that changed. */
export async function readConversations(
  db: Queryable,
  { ids, userId }: { ids: readonly number[]; userId: number },
): Promise<number[]> {
  const isReader = sql`present.conversation = c.id and present."user" = ${userId}::bigint`
  const rows = await db.query<{ id: number }>(
    sql`insert into connect_conversation_reader as stored (id, conversation, "user", read_up_to)
        select ${idOf('connect_conversation_reader', isReader)}, c.id, ${userId}::bigint, c.last_incoming
        from connect_conversation c where c.id in (${idList(ids)}) and c.last_incoming is not null
        on conflict (conversation, "user") do update set read_up_to = excluded.read_up_to
          where coalesce(stored.read_up_to, 0) < excluded.read_up_to
        returning id`,
  )
  return rows.map(({ id }) => id)
}

/** From now on the person sees the conversations, no matter who wrote in them; its messages by their own rules. */
export async function showTo(
  db: Queryable,
  { ids, userId }: { ids: readonly number[]; userId: number },
): Promise<void> {
  const isReader = sql`present.conversation = c.id and present."user" = ${userId}::bigint`
  await db.query(
    sql`insert into connect_conversation_reader (id, conversation, "user")
        select ${idOf('connect_conversation_reader', isReader)}, c.id, ${userId}::bigint
        from connect_conversation c where c.id in (${idList(ids)})
        on conflict (conversation, "user") do nothing`,
  )
}

/** Nothing in them waits for anybody any more. */
export async function closeConversations(env: Env, ids: readonly number[]): Promise<void> {
  await env.db.query(
    sql`update connect_conversation set closed_at = ${storedTime(env.now)}::timestamp, settled_up_to = last_message,
          ${writtenBy(writerOf(env))} where id in (${idList(ids)})`,
  )
}

/** They are open again; what nobody has read in them is unread for everybody who had not read it. */
export async function reopenConversations(env: Env, ids: readonly number[]): Promise<void> {
  await env.db.query(
    sql`update connect_conversation set closed_at = null, settled_up_to = null, write_date = now() at time zone 'utc'
        where id in (${idList(ids)}) and closed_at is not null`,
  )
}

/** Removes conversations of which no message stays when these messages go. */
export async function removeEmptied(env: Env, messages: readonly number[]): Promise<void> {
  const which = sql`id in (select conversation from connect_message where id in (${idList(messages)}))`
  await removeWithout(env.db, { which, messages })
}

/**
 * Removes those of the conversations that have no message but these; gives how many. They are locked first: anyone who is just adding
 * a message holds its conversation, and a statement that began before that has ended would not see the message.
 */
export async function removeWithout(
  db: Queryable,
  { which, messages }: { which: SQL; messages: readonly number[] },
): Promise<number[]> {
  const locked = await db.query<{ id: number }>(
    sql`select id from connect_conversation where ${which} order by id for update`,
  )
  if (locked.length === 0) return []
  const isOther = messages.length === 0 ? sql`true` : sql`m.id not in (${idList(messages)})`
  const removed = await db.query<{ id: number }>(
    sql`delete from connect_conversation c where c.id in (${idList(locked.map(({ id }) => id))})
          and not exists (select 1 from connect_message m where m.conversation = c.id and ${isOther})
        returning c.id`,
  )
  return removed.map(({ id }) => id)
}
