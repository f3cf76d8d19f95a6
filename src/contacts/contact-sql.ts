import { type SQL, sql } from '../database/drizzle.ts'

/** For a statement of another area: one column of a contact; nothing when there is no such contact. */
export function contactColumn(column: 'id' | 'name' | 'parent_id' | 'tz', id: SQL): SQL {
  return sql`(select ${sql.raw(column)} from res_partner where id = ${id})`
}

/**
 * For a statement of another area: what a record takes over from its contact, as a query that looks one up for each row. The
 * mobile number is their phone where there is no other.
 */
export function contactToCopy(id: SQL): SQL {
  return sql`select id, name, email, coalesce(nullif(trim(phone), ''), mobile) as phone,
    case when coalesce(trim(phone), '') = '' then mobile_normalized else phone_normalized end as phone_normalized
    from res_partner where id = ${id} limit 1`
}

/** For a statement of another area: the country code of the contact when the number is one that was copied from it. */
export function countryOfCopied(contactId: SQL, phone: SQL): SQL {
  return sql`(select c.code from res_partner p join res_country c on c.id = p.country_id
    where p.id = ${contactId} and ${phone} in (p.phone, p.mobile))`
}

/** The address alone, in small letters, of a stored one: earlier versions kept the name before it. */
export function bareEmailSql(email: SQL): SQL {
  return sql`lower(coalesce(substring(${email} from '<\\s*([^<>]+@[^<>]+?)\\s*>'), btrim(${email})))`
}
