import { sql } from '../../database/drizzle.ts'
import { statement } from '../../database/statement.ts'
import type { PhoneDirectory, PublishedExtension } from '../../ledger/destination.ts'

/** Extensions and users one prompt can hold. */
const LISTED_MAX = 500

const USERS = statement<{ name: string; extension: string }>(
  'directory_users',
  sql`select u.name, e.number as extension from connect_user p
      join res_users u on u.id = p."user" join connect_telco_exten e on e.id = p.telco_exten
      where p.active order by u.name, p.id limit ${sql.raw(String(LISTED_MAX))}`,
)

const PUBLISHED = statement<PublishedExtension>(
  'directory_published',
  sql`select e.id, e.number, coalesce(
        case e.model
          when 'connect.user' then (select u.name from connect_user p join res_users u on u.id = p."user" where p.id = e.res_id)
          when 'connect.telco.callflow' then (select name from connect_telco_callflow where id = e.res_id)
          when 'connect.telco.markup' then (select name from connect_telco_markup where id = e.res_id)
          when 'connect.voiceai_agent' then (select name from connect_voiceai_agent where id = e.res_id)
        end, '') as name
      from connect_telco_exten e where e.is_published order by e.number, e.id limit ${sql.raw(String(LISTED_MAX))}`,
)

export const phoneDirectory: PhoneDirectory = {
  listUsers: (env) => env.db.run(USERS, {}),
  listPublishedExtensions: (env) => env.db.run(PUBLISHED, {}),
  async renderExtension() {
    throw new Error('extensions are rendered by the telephony routes')
  },
}
