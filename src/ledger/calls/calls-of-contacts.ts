import { type SQL, sql } from '../../database/drizzle.ts'

/** How many calls each contact has: `pairs` selects `id` and, for each contact that counts for it, `own`. */
export function countCallsOfContacts(pairs: SQL): SQL {
  return sql`select p.id, count(*)::int as count from (${pairs}) p join connect_call t on t.partner = p.own group by p.id`
}
