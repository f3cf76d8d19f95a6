import { type NumberedTable, ROWS_AT_ONCE } from '../../contacts/renumbering.ts'
import { sql } from '../../database/drizzle.ts'
import { ownToE164 } from '../../phone.ts'
import { writtenBy } from '../../platform/model/written-by.ts'

const MODEL = 'connect.telco.number'

interface Row {
  id: number
  phone_number: string
}

/** Our own numbers that somebody wrote down without a country: no call finds them until they are E.164. */
export const ownNumbers: NumberedTable = {
  model: MODEL,
  async count(db) {
    const [row] = await db.query<{ count: number }>(
      sql`select count(*)::int as count from connect_telco_number where phone_number not like '+%'`,
    )
    return row?.count ?? 0
  },
  async renumber(tx, { afterId, country }) {
    const rows = await tx.query<Row>(
      sql`select id, phone_number from connect_telco_number where id > ${afterId}::bigint and phone_number not like '+%'
          order by id limit ${sql.raw(String(ROWS_AT_ONCE))} for update`,
    )
    // The first of two that mean the same number gets it.
    const wanted = new Map<string, Row>()
    for (const row of [...rows].reverse()) {
      const number = ownToE164(row.phone_number, country)
      if (number !== undefined) wanted.set(number, row)
    }
    const values = [...wanted].map(([number, { id }]) => ({ id, number }))
    const changed = await tx.query<{ id: number }>(
      sql`update connect_telco_number n set phone_number = v.number, ${writtenBy(null)}
          from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v (id bigint, number text)
          where n.id = v.id and not exists (select from connect_telco_number o where o.phone_number = v.number)
          returning n.id`,
    )
    const done = new Set(changed.map(({ id }) => id))
    const problems = rows.filter(({ id }) => !done.has(id)).map((row) => problemOf(row, country))
    return { lastId: rows.at(-1)?.id, read: rows.length, changed: [...done], problems }
  },
}

function problemOf({ id, phone_number: written }: Row, country: string | undefined): { id: number; reason: string } {
  const isRead = ownToE164(written, country) !== undefined
  return { id, reason: isRead ? 'another record has the number' : `no phone number in ${country ?? 'any country'}` }
}
