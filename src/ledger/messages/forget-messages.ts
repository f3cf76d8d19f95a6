import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Person } from '../../platform/person/person.ts'
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

/**
 * Removes the conversations with a person of which no message stays when these messages go; gives their ids. One that got
 * a text meanwhile stays with it.
 */
export async function removeConversationsOf(
  db: Queryable,
  { contacts, numbers }: Person,
  messages: readonly number[],
): Promise<number[]> {
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`
  return await removeWithout(db, {
    which: sql`partner in (${idList(contacts)}) or (partner is null and theirs in ${theirs})`,
    messages,
  })
}

export async function removeMessages(db: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.query(sql`delete from connect_message where id in (${idList(ids)})`)
}
