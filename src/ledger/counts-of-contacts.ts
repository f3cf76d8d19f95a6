import { type SQL, sql } from '../database/drizzle.ts'

const TABLES = { calls: sql`connect_call`, messages: sql`connect_message` }

/** How many of them each contact has: `pairs` selects `id` and, for each contact that counts for it, `own`. */
export function countOfContacts(what: keyof typeof TABLES, pairs: SQL): SQL {
  return sql`select p.id, count(*)::int as count from (${pairs}) p join ${TABLES[what]} t on t.partner = p.own group by p.id`
}
