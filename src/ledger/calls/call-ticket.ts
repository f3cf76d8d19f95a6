import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { writtenBy } from '../../platform/model/written-by.ts'

/** For a statement that creates tickets: the calls they are for, as a query, locked in the order of their ids. */
export function lockedCallsOfTickets(ids: SQL): SQL {
  return sql`select id, partner from connect_call where id in ${ids} order by id for no key update`
}

/** For a statement that creates tickets: links calls to them by rows of `call`, `ticket` and `writer`; `id` and `call` of each. */
export function linkTickets(rows: SQL): SQL {
  return sql`update connect_call c set ticket = made.ticket, ${writtenBy(sql`made.writer`)}
    from ${rows} made where c.id = made.call returning c.id, c.id as call`
}

/** How many calls are linked to each of the tickets. */
export async function countCallsOfTickets(db: Queryable, tickets: readonly number[]): Promise<Map<number, number>> {
  const counts = await db.query<{ ticket: number; count: number }>(
    sql`select ticket, count(*)::int as count from connect_call where ticket in (${idList(tickets)}) group by ticket`,
  )
  return new Map(counts.map((each) => [each.ticket, each.count]))
}
