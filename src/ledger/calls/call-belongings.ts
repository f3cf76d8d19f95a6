// What was made in a call while nobody knew whose it was belongs to its contact as soon as the call has one.
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'
import { giveRecordingsOfCalls } from '../recordings/recording-owner.ts'

/** A ticket or a meeting of nobody, and the contact of the call it was made in. */
interface Unowned {
  model: 'helpdesk.ticket' | 'calendar.event'
  id: number
  partner: number
  email: string | null
  phone: string | null
}

/**
 * Gives what was made in these calls to their contacts: tickets without a contact, meetings that no caller attends, and
 * recordings. What belongs to somebody already stays theirs.
 */
export async function giveToContacts(env: Env, calls: readonly number[]): Promise<void> {
  if (calls.length === 0) return
  const ids = idList(calls)
  const found = await env.db.query<Unowned>(sql`
    select 'helpdesk.ticket' as model, t.id, c.partner, t.partner_email as email, t.partner_phone as phone
      from connect_call c join helpdesk_ticket t on t.made_in_call = c.id
      where c.id in (${ids}) and c.partner is not null and t.partner_id is null
    union select 'helpdesk.ticket', t.id, c.partner, t.partner_email, t.partner_phone
      from connect_call c join helpdesk_ticket t on t.id = c.ticket
      where c.id in (${ids}) and c.partner is not null and t.partner_id is null
    union all select 'calendar.event', e.id, c.partner, null, null
      from connect_call c join calendar_event e on e.made_in_call = c.id
      where c.id in (${ids}) and c.partner is not null and not exists (
        select 1 from calendar_event_res_partner_rel r where r.event_id = e.id
          and not exists (select 1 from res_users u where u.partner_id = r.partner_id))
    order by model, id`)
  // Whoever names the contact of a call need not be allowed to write tickets and meetings.
  const all = elevated(env)
  for (const { model, id, partner, email, phone } of found) {
    const values =
      model === 'calendar.event'
        ? { partner_ids: [[4, partner]] }
        : { partner_id: partner, ...(email && { partner_email: email }), ...(phone && { partner_phone: phone }) }
    await records(all, model).write([id], values)
  }
  await giveRecordingsOfCalls(env.db, calls)
}
