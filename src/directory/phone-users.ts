import type { Queryable } from '../database/database.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { listed } from '../database/listed.ts'
import { statement } from '../database/statement.ts'

/** A phone user as the parties of a call name it. */
interface NamedPhoneUser {
  /** Null for a mobile that an extension leads to: it is nobody's by name. */
  id: number | null
  /** The username, or the number of the mobile, that was asked for. */
  name: string
  /** The login of the person. */
  login: number | null
  /** The number of the user's extension, when there is one. */
  extension: string | null
}

const BY_USERNAME = statement<NamedPhoneUser, { names: readonly string[] }>(
  'pbx_users_by_name',
  sql`select p.id, p.name, p.login, e.number as extension from (
        select id, username as name, "user" as login, telco_exten from connect_user where username in ${listed('names', 'text')}
        union all select * from (
          select distinct on (mobile_number) id, mobile_number, "user", telco_exten from connect_user
          where mobile_number in ${listed('names', 'text')} order by mobile_number, active is false, id) m
        union all select null, mobile_number, null, null from connect_telco_exten where mobile_number in ${listed('names', 'text')}) p
      left join connect_telco_exten e on e.id = p.telco_exten`,
)
const EXTENSIONS = statement<{ number: string }, { numbers: readonly string[] }>(
  'extensions_by_number',
  sql`select number from connect_telco_exten where number in ${listed('numbers', 'text')}`,
)

/** The phone users with these usernames or mobiles; those that nobody has are left out. */
export async function findPhoneUsers(db: Queryable, usernames: readonly string[]): Promise<NamedPhoneUser[]> {
  return usernames.length === 0 ? [] : db.run(BY_USERNAME, { names: usernames })
}

/** Those of the numbers that are extensions. */
export async function findExtensionNumbers(db: Queryable, numbers: readonly string[]): Promise<Set<string>> {
  const rows = numbers.length === 0 ? [] : await db.run(EXTENSIONS, { numbers })
  return new Set(rows.map((row) => row.number))
}

/** For a statement of another room: the login of a phone user. */
export function phoneUserLogin(id: SQL): SQL {
  return sql`(select "user" from connect_user where id = ${id})`
}

/** For a statement of another room: `id` and `login` of these phone users, as far as they are there. */
export function phoneUsersWithIds(ids: SQL): SQL {
  return sql`select id, "user" as login from connect_user where id = any(${ids}::bigint[])`
}

/** For a statement of another room: `id` and `login` of the phone users who want to know of missed calls. */
export const PHONE_USERS_NOTIFIED = sql`select id, "user" as login from connect_user where missed_calls_notify`
