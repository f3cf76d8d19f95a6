import { sql } from '../database/drizzle.ts'
import { toE164 } from '../phone.ts'
import { type NumberedTable, ROWS_AT_ONCE } from './renumbering.ts'

interface Row {
  id: number
  phone: string | null
  mobile: string | null
  phone_normalized: string | null
  mobile_normalized: string | null
  /** Of the contact itself, which goes before the one of the settings. */
  own_country: string | null
}

const WITH_NUMBER = sql`(p.phone is not null or p.mobile is not null)`

/** Contacts, and with them the people who have phones: their numbers are those of their contacts. */
export const contactNumbers: NumberedTable = {
  model: 'res.partner',
  async count(db) {
    const [row] = await db.query<{ count: number }>(
      sql`select count(*)::int as count from res_partner p where ${WITH_NUMBER}`,
    )
    return row?.count ?? 0
  },
  async renumber(tx, { afterId, country }) {
    const rows = await tx.query<Row>(
      sql`select p.id, p.phone, p.mobile, p.phone_normalized, p.mobile_normalized, c.code as own_country
          from res_partner p left join res_country c on c.id = p.country_id
          where p.id > ${afterId}::bigint and ${WITH_NUMBER} order by p.id limit ${sql.raw(String(ROWS_AT_ONCE))} for update of p`,
    )
    const changed = rows
      .map((row) => {
        const region = row.own_country ?? country
        return { ...row, phone: toE164(row.phone, region) ?? null, mobile: toE164(row.mobile, region) ?? null }
      })
      .filter((row) => row.phone !== row.phone_normalized || row.mobile !== row.mobile_normalized)
      .map(({ id, phone, mobile }) => ({ id, phone, mobile }))
    if (changed.length > 0) {
      await tx.query(
        sql`update res_partner p set phone_normalized = v.phone, mobile_normalized = v.mobile,
              write_date = now() at time zone 'utc'
            from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as v (id bigint, phone text, mobile text) where p.id = v.id`,
      )
    }
    return { lastId: rows.at(-1)?.id, read: rows.length, changed: changed.map(({ id }) => id) }
  },
}
