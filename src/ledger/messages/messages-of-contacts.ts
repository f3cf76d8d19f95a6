import { type SQL, sql } from '../../database/drizzle.ts'

/** How many messages each contact has: `pairs` selects `id` and, for each contact that counts for it, `own`. */
export function countMessagesOfContacts(pairs: SQL): SQL {
  return sql`select p.id, count(*)::int as count from (${pairs}) p join connect_message t on t.partner = p.own group by p.id`
}
