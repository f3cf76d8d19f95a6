import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import type { Person } from '../../platform/person/person.ts'
import { notifyGone } from '../../platform/records/notify-changed.ts'
import { removeWithout } from './conversation-rows.ts'

const CHANNEL = 'whatsapp:'

/** Every message to or from a person. */
export async function findMessagesOf(db: Queryable, { contacts, numbers }: Person): Promise<number[]> {
  const written = numbers.flatMap((number) => [number, CHANNEL + number])
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(written)}::jsonb))`
  const rows = await db.query<{ id: number }>(sql`select id from connect_message where partner in (${idList(contacts)})
    union select id from connect_message where partner is null and from_number in ${theirs}
    union select id from connect_message where partner is null and to_number in ${theirs} order by id desc`)
  return rows.map(({ id }) => id)
}

/** The conversations with a person of which no message stays when these messages go. */
export async function findConversationsOf(
  db: Queryable,
  { contacts, numbers }: Person,
  messages: readonly number[],
): Promise<number[]> {
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`
  const rows = await db.query<{ id: number }>(sql`select c.id from connect_conversation c
    where (c.partner in (${idList(contacts)}) or (c.partner is null and c.theirs in ${theirs}))
      and not exists (select 1 from connect_message m where m.conversation = c.id and m.id not in (${manyIds(messages)}))
    order by c.id desc`)
  return rows.map(({ id }) => id)
}

/** Removes conversations whose messages are gone. One that got a text meanwhile stays with it. */
export async function removeConversations(db: Queryable, ids: readonly number[]): Promise<void> {
  await removeWithout(db, { which: sql`id in (${idList(ids)})`, messages: [] })
}

export async function removeMessages(db: Transaction, ids: readonly number[]): Promise<void> {
  await db.query(sql`delete from connect_message where id in (${idList(ids)})`)
  await notifyGone({ db }, 'connect.message', ids)
}
