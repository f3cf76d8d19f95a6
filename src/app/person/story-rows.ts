import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { formsOfSubscriber } from '../../number-plans.ts'
import { hasIdentity } from '../../withheld.ts'

/** Whose calls and messages they are: contacts, and their numbers in every form in which one may be stored. */
export interface Whose {
  contacts: readonly number[]
  numbers: readonly string[]
}

/** Extensions and short codes are nobody's alone. */
const OUTSIDE = '^\\+[0-9]{6,}$'

export async function whoseStory(db: Queryable, contacts: readonly number[]): Promise<Whose> {
  const rows = await db.query<{ number: string }>(
    sql`select distinct number from res_partner p, lateral (values (p.phone_normalized), (p.mobile_normalized)) as own (number)
        where p.id in (${idList(contacts)}) and number ~ ${OUTSIDE}::text`,
  )
  // A keypad word that was once taken for a number is every withheld caller's.
  const numbers = rows.map(({ number }) => number).filter(hasIdentity)
  return { contacts, numbers: [...new Set(numbers.flatMap(formsOfSubscriber))] }
}

/**
 * Ids of calls with the contacts, and of calls of nobody that came from one of their numbers or went to it: a contact is often saved
 * after the first call. Each part has an index of its own.
 */
export function callsOf({ contacts, numbers }: Whose): SQL {
  const own = sql`select c.id from connect_call c where c.partner in (${idList(contacts)})`
  if (numbers.length === 0) return own
  return sql`${own}
    union select c.id from connect_call c where c.caller in (${texts(numbers)}) and c.partner is null and c.direction = 'incoming'
    union select c.id from connect_call c where c.called in (${texts(numbers)}) and c.partner is null and c.direction = 'outgoing'`
}

/** The same of messages, which are found by their conversation. */
export function messagesOf({ contacts, numbers }: Whose): SQL {
  const own = sql`select m.id from connect_message m where m.partner in (${idList(contacts)})`
  if (numbers.length === 0) return own
  return sql`${own}
    union select m.id from connect_conversation c join connect_message m on m.conversation = c.id
      where c.theirs in (${texts(numbers)}) and m.partner is null`
}

function texts(numbers: readonly string[]): SQL {
  return sql.join(
    numbers.map((number) => sql`${number}::text`),
    sql`, `,
  )
}
