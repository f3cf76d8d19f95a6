import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
import type { Person } from '../../platform/person/person.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'

/** What a meeting with somebody who was erased is called. */
const ERASED = 'Erased'

/** Every meeting that a person attends, or that was booked in a call of theirs. */
export async function findMeetingsOf(db: Queryable, { contacts }: Person, calls: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select event_id as id from calendar_event_res_partner_rel where partner_id in (${idList(contacts)})
        union select id from calendar_event where made_in_call in (${manyIds(calls)}) order by id desc`,
  )
  return rows.map(({ id }) => id)
}

/** Takes a person from meetings, and what the meetings were about; their times stay taken. */
export async function makeMeetingsAnonymous(
  db: Transaction,
  ids: readonly number[],
  { contacts }: Pick<Person, 'contacts'>,
): Promise<void> {
  await db.query(sql`delete from calendar_event_res_partner_rel
    where partner_id in (${idList(contacts)}) and event_id in (${idList(ids)})`)
  await db.query(sql`update calendar_event set name = ${ERASED}, description = null, location = null, tz = null,
      ${writtenBy(null)} where id in (${idList(ids)})`)
  await notifyChanged({ db }, 'calendar.event', ids)
}
