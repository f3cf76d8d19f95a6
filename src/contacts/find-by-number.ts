import type { Queryable } from '../database/database.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { gathered } from '../database/gathered.ts'
import { idList } from '../database/ids.ts'
import { listed } from '../database/listed.ts'
import { statement } from '../database/statement.ts'
import { formsOfSubscriber } from '../number-plans.ts'
import { toContactKey } from '../phone.ts'

/** What of a contact the telephone side needs. */
export interface Contact {
  id: number
  name: string
  phone: string | null
  mobile: string | null
  email: string | null
  lang: string | null
  tz: string | null
  /** The company they belong to. */
  parent_id: number | null
}

/** More contacts than this with one number are not told apart anyway. */
const MATCHES_MAX = 50

const COLUMNS = sql`id, name, phone, mobile, email, lang, tz, parent_id`
const matchesOf = (number: SQL): SQL => sql`(
    select ${COLUMNS}, active from res_partner where phone_normalized = ${number}
    union all select ${COLUMNS}, active from res_partner
      where mobile_normalized = ${number} and phone_normalized is distinct from ${number}
  ) matches where active`

const FIND_MANY = statement<Contact & { number: string }, { numbers: readonly string[] }>(
  'contacts_by_numbers',
  sql`select wanted.number, found.* from ${listed('numbers', 'text')} as wanted (number)
      cross join lateral (select ${COLUMNS} from ${matchesOf(sql`wanted.number`)} order by id limit ${sql.raw(String(MATCHES_MAX))}) found
      order by found.id`,
)
const FIND_BY_ID = statement<Contact, { ids: readonly number[] }>(
  'contacts_by_id',
  sql`select ${COLUMNS} from res_partner where id in ${listed('ids', 'bigint')}`,
)

/**
 * The contact with this number, in any written form (national numbers are read in `country`), or with this id of a channel's user; undefined when there is
 * none or when several companies share it.
 */
export async function findContactByNumber(
  db: Queryable,
  number: string | null | undefined,
  country: string | undefined,
): Promise<Contact | undefined> {
  const e164 = toContactKey(number, country)
  if (e164 === undefined) return undefined
  return (await explainMatch(db, e164)).contact
}

/** Why a contact was, or was not, taken for everybody who has a number. */
export const MATCH_RULES = [
  'nobody',
  'only_one',
  'oldest',
  'several_companies',
  'company_and_stranger',
  'only_person_of_company',
  'company_of_people',
] as const
type MatchRule = (typeof MATCH_RULES)[number]

/** The contact that a call of this E.164 number is shown as, by which rule, and all contacts with the number, oldest first. */
export async function explainMatch(
  db: Queryable,
  e164: string,
): Promise<{ contact: Contact | undefined; rule: MatchRule; candidates: Contact[] }> {
  const candidates = await findCandidates(db, e164)
  const { choice, rule } = chooseContact(candidates)
  return { contact: typeof choice === 'number' ? await findContactById(db, choice) : choice, rule, candidates }
}

/** All contacts with an E.164 number, oldest first. */
const findCandidates = gathered(async (db, numbers: readonly string[]): Promise<Contact[][]> => {
  const byNumber = await findOfNumbers(db, numbers)
  return numbers.map((number) => byNumber(number))
})

/** The contacts with any form of each number, oldest first. */
async function findOfNumbers(db: Queryable, numbers: readonly string[]): Promise<(number: string) => Contact[]> {
  const forms = new Map(numbers.map((number) => [number, formsOfSubscriber(number)]))
  const found = await db.run(FIND_MANY, { numbers: [...new Set([...forms.values()].flat())] })
  const byForm = Map.groupBy(found, (row) => row.number)
  return (number) => {
    const rows = (forms.get(number) ?? []).flatMap((form) => byForm.get(form) ?? [])
    const byId = new Map(rows.map(({ number: _number, ...contact }) => [contact.id, contact]))
    return [...byId.values()].sort((one, other) => one.id - other.id)
  }
}

/** The contacts with one number. */
interface Match {
  /** The one that is meant; undefined when several companies share the number. */
  readonly contact: number | undefined
  /** For those who need some contact even then. */
  readonly oldest: number
}

/** The same for many numbers at once: the ids of those that are found, by the number as it was given. */
export async function findContactsByNumbers(
  db: Queryable,
  numbers: readonly string[],
  country: string | undefined,
): Promise<Map<string, number>> {
  const matches = await matchNumbers(db, numbers, country)
  return new Map(
    [...matches].flatMap(([number, { contact }]) => (contact === undefined ? [] : [[number, contact] as const])),
  )
}

/**
 * For records that name no contact: whose number it is by now, because a contact is often saved after the first call or message.
 * By the number as it was given; nothing for one that nobody has.
 */
export async function findContactsOfNumbers(
  db: Queryable,
  numbers: readonly string[],
  country: string | undefined,
): Promise<Map<string, [id: number, name: string]>> {
  const found = await findContactsByNumbers(db, numbers, country)
  if (found.size === 0) return new Map()
  const rows = await db.query<{ id: number; name: string }>(
    sql`select id, name from res_partner where id in (${idList([...new Set(found.values())])})`,
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return new Map([...found].map(([number, id]) => [number, [id, names.get(id) ?? '']]))
}

/** What is found for each of the numbers, by the number as it was given; nothing for one that nobody has. */
export async function matchNumbers(
  db: Queryable,
  numbers: readonly string[],
  country: string | undefined,
): Promise<Map<string, Match>> {
  const forms = numbers.flatMap((number) => {
    const e164 = toContactKey(number, country)
    return e164 === undefined ? [] : [[number, e164] as const]
  })
  if (forms.length === 0) return new Map()
  const found = await findOfNumbers(
    db,
    forms.map(([, e164]) => e164),
  )
  const matches = forms.flatMap(([number, e164]) => {
    const [oldest, ...others] = found(e164)
    if (oldest === undefined) return []
    const { choice } = chooseContact([oldest, ...others])
    const contact = typeof choice === 'number' ? choice : choice?.id
    return [[number, { contact, oldest: oldest.id }] as const]
  })
  return new Map(matches)
}

export const findContactById = gathered(async (db, ids: readonly number[]): Promise<(Contact | undefined)[]> => {
  const contacts = await db.run(FIND_BY_ID, { ids: [...new Set(ids)] })
  const byId = new Map(contacts.map((contact) => [contact.id, contact]))
  return ids.map((id) => byId.get(id))
})

/**
 * Which of several contacts with one number is meant (docs/reference/domain.md#contact-by-number); an id when it is a
 * company that has another number itself. Expects them oldest first.
 */
function chooseContact(matches: readonly Contact[]): { choice: Contact | number | undefined; rule: MatchRule } {
  const [first, second, ...others] = matches
  if (first === undefined) return { choice: undefined, rule: 'nobody' }
  if (second === undefined) return { choice: first, rule: 'only_one' }
  const companies = new Set(matches.map((match) => match.parent_id).filter((id) => id !== null))
  if (companies.size === 0) return { choice: first, rule: 'oldest' }
  if (companies.size > 1) return { choice: undefined, rule: 'several_companies' }
  const [company] = companies
  const stranger = matches.some((match) => match.parent_id === null && match.id !== company)
  if (stranger) return { choice: undefined, rule: 'company_and_stranger' }
  const children = matches.filter((match) => match.parent_id === company)
  if (others.length === 0 && children.length === 1) return { choice: children[0], rule: 'only_person_of_company' }
  return { choice: matches.find((match) => match.id === company) ?? company, rule: 'company_of_people' }
}
