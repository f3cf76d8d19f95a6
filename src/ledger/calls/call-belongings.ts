// What was made in a call while nobody knew whose it was belongs to its contact as soon as the call has one
// (docs/reference/domain.md#what-belongs-to-the-contact-of-a-call).
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'
import { giveRecordingsOfCalls } from '../recordings/recording-owner.ts'

interface KnownCall {
  id: number
  partner: number
  ticket: number | null
}

type Link = [id: number, name: string] | null

/**
 * Gives what was made in these calls to their contacts: tickets without a contact, meetings that no caller attends, and
 * recordings. What belongs to somebody already stays theirs.
 */
export async function giveToContacts(env: Env, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const calls = await env.db.query<KnownCall>(
    sql`select id, partner, ticket from connect_call where id in (${idList(ids)}) and partner is not null order by id`,
  )
  if (calls.length === 0) return
  // Anyone who names the contact of a call need not be allowed to write tickets and meetings.
  const all = elevated(env)
  await giveTickets(all, calls)
  await giveMeetings(all, calls)
  await giveRecordingsOfCalls(env, ids)
}

async function giveTickets(env: Env, calls: readonly KnownCall[]): Promise<void> {
  const tickets = records(env, 'helpdesk.ticket')
  const linked = calls.flatMap(({ ticket }) => ticket ?? [])
  const ofCalls = ['|', ['made_in_call', 'in', calls.map(({ id }) => id)], ['id', 'in', linked]]
  const found = await tickets.search(['&', ['partner_id', '=', false], ...ofCalls])
  if (found.length === 0) return
  for (const row of await tickets.read(found, ['made_in_call', 'partner_email', 'partner_phone'])) {
    const madeIn = (row.made_in_call as Link)?.[0]
    const call = calls.find(({ id, ticket }) => id === madeIn || ticket === row.id)
    if (call === undefined) continue
    const { partner_email: email, partner_phone: phone } = row as { partner_email?: string; partner_phone?: string }
    const typed = { ...(email && { partner_email: email }), ...(phone && { partner_phone: phone }) }
    await tickets.write([Number(row.id)], { partner_id: call.partner, ...typed })
  }
}

async function giveMeetings(env: Env, calls: readonly KnownCall[]): Promise<void> {
  const meetings = records(env, 'calendar.event')
  const found = await meetings.search([['made_in_call', 'in', calls.map(({ id }) => id)]])
  if (found.length === 0) return
  const rows = await meetings.read(found, ['made_in_call', 'partner_ids'])
  const attendees = [...new Set(rows.flatMap((row) => row.partner_ids as number[]))]
  const users = await records(env, 'res.users').search([['partner_id', 'in', attendees]])
  const colleagues = new Set(
    (await records(env, 'res.users').read(users, ['partner_id'])).map((row) => (row.partner_id as Link)?.[0]),
  )
  for (const row of rows) {
    const call = calls.find(({ id }) => id === (row.made_in_call as Link)?.[0])
    const isOfSomebody = (row.partner_ids as number[]).some((id) => !colleagues.has(id))
    if (call === undefined || isOfSomebody) continue
    await meetings.write([Number(row.id)], { partner_ids: [[4, call.partner]] })
  }
}
