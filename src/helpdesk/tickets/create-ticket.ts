import { contactColumn, contactToCopy } from '../../contacts/contact-sql.ts'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { folded } from '../../database/folded.ts'
import { limitOfRows, listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { linkTickets, lockedCallsOfTickets } from '../../ledger/calls/call-ticket.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'

/** A ticket that a call asks for. */
export interface TicketForCall {
  call_id: number
  /** In place of the call's contact. */
  partner_id: number | null
  /** The contact with the caller's number, where the call has none. */
  caller_id: number | null
  name: string
  description: string | null
  /** The team by its name, and as patterns: containing the name, beginning with it. */
  team: string | null
  team_like: string | null
  team_prefix: string | null
  /** Of somebody who is no contact. */
  email: string | null
  phone: string | null
  phone_e164: string | null
  create_uid: number
}

/** What a ticket is made of: what was asked for, and the contact of its call. */
interface GivenTicket extends TicketForCall {
  call_partner: number | null
}

const GIVEN = {
  ...{ call_id: 'bigint', partner_id: 'bigint', call_partner: 'bigint', caller_id: 'bigint' },
  ...{ name: 'text', description: 'text', team: 'text', team_like: 'text', team_prefix: 'text' },
  ...{ email: 'text', phone: 'text', phone_e164: 'text', create_uid: 'bigint' },
} as const satisfies Record<keyof GivenTicket, string>

const TYPED = sql.raw(
  Object.entries(GIVEN)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
)

const LOCK_CALLS = statement<{ id: number; partner: number | null }, { calls: readonly number[] }>(
  'helpdesk_tickets_calls',
  lockedCallsOfTickets(listed('calls', 'bigint')),
)

/** The ticket's contact: the one that was asked for, where there is one, else the call's, else the caller's. */
const CONTACT = contactToCopy(sql`coalesce(${contactColumn('id', sql`g.partner_id`)}, g.call_partner, g.caller_id)`)

/** The team with this very name, else one whose name begins with it, else one whose name contains it, else the first. */
const TEAM = sql`select id from helpdesk_team
  order by (${folded(sql`name`)} = ${folded(sql`g.team`)}) desc nulls last,
    (${folded(sql`name`)} like ${folded(sql`g.team_prefix`)}) desc nulls last,
    (${folded(sql`name`)} like ${folded(sql`g.team_like`)}) desc nulls last, id limit 1`

/** The first stage of the team, else the first stage. */
const STAGE = sql`select s.id from helpdesk_stage s
  left join helpdesk_stage_team_rel r on r.stage_id = s.id and r.team_id = team.id
  order by (r.team_id is null), s.sequence, s.id limit 1`

const CREATE = statement<{ id: number; name: string; call: number }, { tickets: string }>(
  'helpdesk_tickets_create',
  sql`insert into helpdesk_ticket (name, description, active, team_id, stage_id, partner_id, partner_name, partner_email,
      partner_phone, phone_normalized, priority, made_in_call, create_uid, write_uid)
    select g.name, g.description, true, team.id, stage.id, contact.id, contact.name,
      case when contact.id is null then g.email else contact.email end,
      case when contact.id is null then g.phone else contact.phone end,
      case when contact.id is null then g.phone_e164 else contact.phone_normalized end,
      '0', g.call_id, g.create_uid, g.create_uid
    from rows from (jsonb_to_recordset(${param('tickets')}::jsonb) as (${TYPED})) with ordinality
      as g (${sql.raw(Object.keys(GIVEN).join(', '))}, at)
    left join lateral (${CONTACT}) contact on true
    left join lateral (${TEAM}) team on true
    left join lateral (${STAGE}) stage on true
    order by g.at ${limitOfRows()}
    returning id, name, made_in_call as call`,
)

const LINK = statement<{ id: number }, { links: string }>(
  'helpdesk_tickets_link',
  linkTickets(
    sql`(select * from jsonb_to_recordset(${param('links')}::jsonb) as link (call bigint, ticket bigint, writer bigint)
      ${limitOfRows()})`,
  ),
)

/**
 * Creates the tickets of calls and links the calls to them, in their order; nothing where there is no such call. The calls are locked
 * in the order of their ids; of two tickets for one call it is linked to the later one.
 */
export async function createTicketsForCalls(
  db: Transaction,
  wanted: readonly TicketForCall[],
): Promise<({ id: number; name: string } | undefined)[]> {
  const calls = await db.run(LOCK_CALLS, { calls: wanted.map(({ call_id: call }) => call) })
  const partners = new Map(calls.map(({ id, partner }) => [id, partner]))
  const given = wanted.filter(({ call_id: call }) => partners.has(call))
  if (given.length === 0) return wanted.map(() => undefined)
  const tickets = given.map((each): GivenTicket => ({ ...each, call_partner: partners.get(each.call_id) ?? null }))
  const created = await db.run(CREATE, { tickets: JSON.stringify(tickets) })
  // Ids are given in the order of the list (https://www.postgresql.org/docs/15/sql-insert.html promises none for what is returned).
  const inOrder = created.toSorted((one, other) => one.id - other.id)
  const links = new Map(inOrder.map(({ call, id }, at) => [call, { call, ticket: id, writer: given[at]?.create_uid }]))
  await db.run(LINK, { links: JSON.stringify([...links.values()]) })
  await notifyChanged(
    { db },
    'helpdesk.ticket',
    created.map(({ id }) => id),
  )
  await notifyChanged({ db }, 'connect.call', [...links.keys()])
  const next = inOrder.values()
  return wanted.map(({ call_id: call }) => (partners.has(call) ? next.next().value : undefined))
}
