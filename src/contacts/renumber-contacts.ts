import { sql } from '../database/drizzle.ts'
import { type NumberedTable, normalizedTable } from './renumbering.ts'

/** Contacts, and with them the people who have phones: their numbers are those of their contacts. */
export const contactNumbers: NumberedTable = normalizedTable({
  model: 'res.partner',
  numbers: { phone: 'phone_normalized', mobile: 'mobile_normalized' },
  ownCountry: sql`(select code from res_country where id = t.country_id)`,
})
