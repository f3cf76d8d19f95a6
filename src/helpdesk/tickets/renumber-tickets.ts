import { countryOfCopied } from '../../contacts/contact-sql.ts'
import { type NumberedTable, ROWS_AT_ONCE } from '../../contacts/renumbering.ts'
import { sql } from '../../database/drizzle.ts'
import { toE164 } from '../../phone.ts'

interface Row {
  id: number
  phone: string
  phone_normalized: string | null
  /** Of the contact whose number the ticket copied. */
  own_country: string | null
}

export const ticketNumbers: NumberedTable = {
  model: 'helpdesk.ticket',
  async count(db) {
    const [row] = await db.query<{ count: number }>(
      sql`select count(*)::int as count from helpdesk_ticket where partner_phone is not null`,
    )
    return row?.count ?? 0
  },
  async renumber(tx, { afterId, country }) {
    const rows = await tx.query<Row>(
      sql`select t.id, t.partner_phone as phone, t.phone_normalized,
            ${countryOfCopied(sql`t.partner_id`, sql`t.partner_phone`)} as own_country
          from helpdesk_ticket t
          where t.id > ${afterId}::bigint and t.partner_phone is not null
          order by t.id limit ${sql.raw(String(ROWS_AT_ONCE))} for update of t`,
    )
    const changed = rows
      .map((row) => ({
        id: row.id,
        before: row.phone_normalized,
        phone: toE164(row.phone, row.own_country ?? country) ?? null,
      }))
      .filter(({ before, phone }) => before !== phone)
      .map(({ id, phone }) => ({ id, phone }))
    if (changed.length > 0) {
      await tx.query(
        sql`update helpdesk_ticket t set phone_normalized = v.phone, write_date = now() at time zone 'utc'
            from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as v (id bigint, phone text) where t.id = v.id`,
      )
    }
    return { lastId: rows.at(-1)?.id, read: rows.length, changed: changed.map(({ id }) => id) }
  },
}
