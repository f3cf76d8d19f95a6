import type { Transaction } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { Refusal } from '../errors.ts'
import type { Check } from '../platform/model/model.ts'

/** A contact is in no company that is, over however many steps, in that contact. */
export const COMPANY_CHECK: Check = {
  fields: ['parent_id'],
  says: 'Cannot be the contact itself, nor somebody who belongs to it.',
  async require({ env, values, current }) {
    const company = values.parent_id
    if (current === undefined || typeof company !== 'number' || company === current.parent_id) return
    if (company === current.id) throw new Refusal('refused', 'res-partner-parent-id-cannot-contact')
    // Two people who each link the other's contact at the same moment do not see each other's row.
    await env.db.query(sql`select pg_advisory_xact_lock(hashtext('res.partner.parent_id'))`)
    if (!(await isBelow(env.db, company, current.id))) return
    throw new Refusal('refused', 'companies-in-circle')
  },
}

/** Whether a contact belongs to another, over however many steps. A circle that is stored already ends the way. */
export async function isBelow(db: Transaction, contact: number, above: number): Promise<boolean> {
  const found = await db.query(
    sql`with recursive way(id, parent_id) as (
          select id, parent_id from res_partner where id = ${contact}::bigint
          union
          select p.id, p.parent_id from res_partner p join way on p.id = way.parent_id)
        select 1 from way where parent_id = ${above}::bigint limit 1`,
  )
  return found.length > 0
}
