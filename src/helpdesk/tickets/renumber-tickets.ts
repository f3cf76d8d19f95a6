import { countryOfCopied } from '../../contacts/contact-sql.ts'
import { type NumberedTable, normalizedTable } from '../../contacts/renumbering.ts'
import { sql } from '../../database/drizzle.ts'

/** A ticket's number is read as that of the contact whose number it copied. */
export const ticketNumbers: NumberedTable = normalizedTable({
  model: 'helpdesk.ticket',
  numbers: { partner_phone: 'phone_normalized' },
  ownCountry: countryOfCopied(sql`t.partner_id`, sql`t.partner_phone`),
})
