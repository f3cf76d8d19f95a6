import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { param, statement } from '../database/statement.ts'

const OLDEST = statement<{ id: number }, { number: string }>(
  'contact_oldest_by_number',
  sql`select min(id)::bigint as id from (
        select id, active from res_partner where phone_normalized = ${param('number')}
        union
        select id, active from res_partner where mobile_normalized = ${param('number')}
      ) matches where active having min(id) is not null`,
)

/** The oldest contact with this E.164 number, for those who need some contact even when several share it. */
export async function findOldestByNumber(db: Queryable, number: string): Promise<number | undefined> {
  const rows = await db.run(OLDEST, { number })
  return rows[0]?.id
}
