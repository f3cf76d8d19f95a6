import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
import type { Person } from '../../platform/person/person.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'

/** What a ticket of somebody who was erased is called. */
const ERASED = 'Erased'

/** Every ticket of a person, with those that nobody is named in: by their number, or made in a call of theirs. */
export async function findTicketsOf(
  db: Queryable,
  { contacts, numbers }: Person,
  { calls, linked }: { calls: readonly number[]; linked: readonly number[] },
): Promise<number[]> {
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`
  const rows = await db.query<{
    id: number
  }>(sql`select id from helpdesk_ticket where partner_id in (${idList(contacts)})
    union select id from helpdesk_ticket where partner_id is null and phone_normalized in ${theirs}
    union select id from helpdesk_ticket where partner_id is null and made_in_call in (${manyIds(calls)})
    union select id from helpdesk_ticket where partner_id is null and id in (${manyIds(linked)}) order by id desc`)
  return rows.map(({ id }) => id)
}

/** Takes from tickets what was asked and who asked; where they stood and when stays, for figures. */
export async function makeTicketsAnonymous(db: Transaction, ids: readonly number[]): Promise<void> {
  await db.query(sql`update helpdesk_ticket set name = ${ERASED}, description = null, partner_id = null, partner_name = null,
      partner_email = null, partner_phone = null, phone_normalized = null, ${writtenBy(null)}
    where id in (${idList(ids)})`)
  await notifyChanged({ db }, 'helpdesk.ticket', ids)
}
