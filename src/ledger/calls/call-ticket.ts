import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'

/** For a statement that creates a ticket: the call it is for, as a query. */
export function callOfTicket(id: SQL): SQL {
  return sql`select id, partner from connect_call where id = ${id}`
}

/** For a statement that creates a ticket: links the call to it, and returns the id of the call. */
export function linkTicket(call: SQL, ticket: SQL): SQL {
  return sql`update connect_call set ticket = ${ticket}, write_date = now() at time zone 'utc' where id = ${call} returning id`
}

/** How many calls are linked to each of the tickets. */
export async function countCallsOfTickets(db: Queryable, tickets: readonly number[]): Promise<Map<number, number>> {
  const counts = await db.query<{ ticket: number; count: number }>(
    sql`select ticket, count(*)::int as count from connect_call where ticket in (${idList(tickets)}) group by ticket`,
  )
  return new Map(counts.map((each) => [each.ticket, each.count]))
}
