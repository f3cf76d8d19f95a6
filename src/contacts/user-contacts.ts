import { sql } from '../database/drizzle.ts'
import { idList } from '../database/ids.ts'
import type { UserContacts } from '../platform/identity/service-users.ts'
import { writerOf, writtenBy } from '../platform/model/written-by.ts'

/** The contacts of users. */
export const userContacts: UserContacts = {
  async create(db, { name, isActive }) {
    const [contact] = await db.query<{ id: number }>(
      sql`insert into res_partner (name, active) values (${name}, ${isActive}) returning id`,
    )
    return contact?.id ?? null
  },
  async zonesOf(db, ids) {
    const found = await db.query<{ id: number; tz: string | null }>(
      sql`select id, tz from res_partner where id in (${idList(ids)})`,
    )
    return new Map(found.map(({ id, tz }) => [id, tz]))
  },
  async saveZone(env, userId, zone) {
    await env.db.query(
      sql`update res_partner set tz = ${zone}, ${writtenBy(writerOf(env))}
          where id = (select partner_id from res_users where id = ${userId}::bigint)`,
    )
  },
}
