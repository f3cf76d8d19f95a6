import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { idList } from '../database/ids.ts'
import { bareEmail } from '../email-address.ts'
import { formsOfSubscriber } from '../number-plans.ts'
import type { Person } from '../platform/person/person.ts'
import { hasIdentity } from '../withheld.ts'
import { bareEmailSql } from './contact-sql.ts'

interface PersonRow {
  id: number
  name: string
  phone: string | null
  mobile: string | null
  phone_normalized: string | null
  mobile_normalized: string | null
  email: string | null
}

/** A person, and what of them other contacts have as well: that stays where it is about the others. */
export interface NamedPerson extends Person {
  name: string
  shared: { numbers: string[]; names: string[]; emails: string[] }
}

const COLUMNS = sql`id, name, phone, mobile, phone_normalized, mobile_normalized, email`

/**
 * The person of a contact, with what to look for; undefined when there is no such contact. What others have as well is not theirs
 * alone, nor are the numbers in `ours`.
 */
export async function findPerson(
  db: Queryable,
  id: number,
  ours: ReadonlySet<string>,
): Promise<NamedPerson | undefined> {
  const [row] = await db.query<PersonRow>(sql`select ${COLUMNS} from res_partner where id = ${id}::bigint`)
  if (row === undefined) return undefined
  // A keypad word that was once taken for a number is every withheld caller's: their calls are not this person's.
  const numbers = present(formsOf([row.phone_normalized, row.mobile_normalized])).filter(hasIdentity)
  const email = sameEmail(row.email)
  const others = await db.query<PersonRow>(sql`
    select ${COLUMNS} from res_partner where id <> ${row.id}::bigint and phone_normalized in (${texts(numbers)})
    union select ${COLUMNS} from res_partner where id <> ${row.id}::bigint and mobile_normalized in (${texts(numbers)})
    union select ${COLUMNS} from res_partner where id <> ${row.id}::bigint and ${bareEmailSql(sql`email`)} = ${email} and email <> ''
    union select ${COLUMNS} from res_partner where id <> ${row.id}::bigint and lower(name) = lower(${row.name})`)
  const users = email === '' ? [] : await db.query(sql`select 1 from res_users where lower(login) = ${email} limit 1`)
  const ofOthers = others.flatMap((each) => formsOf([each.phone_normalized, each.mobile_normalized]))
  const isShared = {
    number: (number: string) => ofOthers.includes(number) || formsOfSubscriber(number).some((form) => ours.has(form)),
    name: others.some(({ name }) => name.toLowerCase() === row.name.toLowerCase()),
    // Nobody's address is that by which a colleague signs in: callers say what theirs is.
    email: users.length > 0 || (email !== '' && others.some((each) => sameEmail(each.email) === email)),
  }
  const own = numbers.filter((number) => !isShared.number(number))
  const unread = present([
    row.phone_normalized === null ? row.phone : null,
    row.mobile_normalized === null ? row.mobile : null,
  ])
  return {
    name: row.name,
    contacts: [row.id],
    numbers: own,
    sought: {
      // What cannot be read as a number may stand for anything: it is looked for like a name.
      names: [...(isShared.name ? [] : [row.name]), ...unread],
      numbers: own,
      emails: isShared.email ? [] : present([bareEmail(row.email ?? '')]),
    },
    shared: {
      numbers: numbers.filter(isShared.number),
      names: isShared.name ? [row.name] : [],
      emails: isShared.email ? present([bareEmail(row.email ?? '')]) : [],
    },
  }
}

/** Who signs in as one of these contacts; such a contact is a colleague. */
export async function findUserOf(db: Queryable, contacts: readonly number[]): Promise<string | undefined> {
  const [user] = await db.query<{ login: string }>(
    sql`select login from res_users where partner_id in (${idList(contacts)}) order by id limit 1`,
  )
  return user?.login
}

function sameEmail(written: string | null): string {
  return bareEmail(written ?? '').toLowerCase()
}

/** What is stored somewhere may have any form of a number. */
function formsOf(numbers: readonly (string | null)[]): string[] {
  return present(numbers).flatMap(formsOfSubscriber)
}

function present(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value): value is string => value !== null && value !== ''))]
}

function texts(values: readonly string[]) {
  return sql`select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)`
}
