import { contactColumn, contactToCopy } from '../../contacts/contact-sql.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { folded } from '../../database/folded.ts'
import { limitOfRows } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { linkTickets, lockedCallsOfTickets } from '../../ledger/calls/call-ticket.ts'
import { notifyAllChangedSql } from '../../platform/records/notify-changed.ts'

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

const GIVEN = {
  ...{ call_id: 'bigint', partner_id: 'bigint', caller_id: 'bigint', name: 'text', description: 'text' },
  ...{ team: 'text', team_like: 'text', team_prefix: 'text' },
  ...{ email: 'text', phone: 'text', phone_e164: 'text', create_uid: 'bigint' },
} as const satisfies Record<keyof TicketForCall, string>

const TYPED = sql.raw(
  Object.entries(GIVEN)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
)

// One round trip: the calls' contacts, the teams, their first stages, the tickets, and the links back to the calls. The calls are
// locked in the order of their ids; of two tickets for one call it is linked to the later one.
const CREATE = statement<{ at: number; id: number; name: string }, { tickets: string }>(
  'helpdesk_tickets_create',
  sql`with given as materialized (
      select g.* from rows from (jsonb_to_recordset(${param('tickets')}::jsonb) as (${TYPED})) with ordinality
        as g (${sql.raw(Object.keys(GIVEN).join(', '))}, at) ${limitOfRows()}
    ),
    the_call as materialized (${lockedCallsOfTickets(sql`(select call_id from given)`)}),
    wanted as materialized (
      select nextval('helpdesk_ticket_id_seq') as id, given.*, the_call.partner from given
      join the_call on the_call.id = given.call_id order by given.at
    ),
    ticket as (
      insert into helpdesk_ticket (id, name, description, active, team_id, stage_id, partner_id, partner_name, partner_email,
        partner_phone, phone_normalized, priority, made_in_call, create_uid, write_uid)
      select w.id, w.name, w.description, true, team.id, stage.id, contact.id, contact.name,
        case when contact.id is null then w.email else contact.email end,
        case when contact.id is null then w.phone else contact.phone end,
        case when contact.id is null then w.phone_e164 else contact.phone_normalized end,
        '0', w.call_id, w.create_uid, w.create_uid
      from wanted w
      left join lateral (
        ${contactToCopy(sql`coalesce(${contactColumn('id', sql`w.partner_id`)}, w.partner, w.caller_id)`)}
      ) contact on true
      left join lateral (
        select id from helpdesk_team
        order by (${folded(sql`name`)} = ${folded(sql`w.team`)}) desc nulls last,
          (${folded(sql`name`)} like ${folded(sql`w.team_prefix`)}) desc nulls last,
          (${folded(sql`name`)} like ${folded(sql`w.team_like`)}) desc nulls last, id limit 1
      ) team on true
      left join lateral (
        select s.id from helpdesk_stage s
        left join helpdesk_stage_team_rel r on r.stage_id = s.id and r.team_id = team.id
        order by (r.team_id is null), s.sequence, s.id limit 1
      ) stage on true
      order by w.id
      returning id, made_in_call as call
    ),
    linked as (${linkTickets(sql`(select call_id as call, max(id) as ticket, max(create_uid) as writer from wanted group by call_id)`)}),
    notified as materialized (
      ${notifyAllChangedSql('helpdesk.ticket', sql`ticket`)} union all ${notifyAllChangedSql('connect.call', sql`linked`)}
    )
    select w.at, w.id, w.name from wanted w, (select count(*) from notified) told`,
)

/** Creates the tickets of calls and links the calls to them, in their order; nothing where there is no such call. */
export async function createTicketsForCalls(
  db: Queryable,
  wanted: readonly TicketForCall[],
): Promise<({ id: number; name: string } | undefined)[]> {
  const created = await db.run(CREATE, { tickets: JSON.stringify(wanted) })
  const byPlace = new Map(created.map(({ at, id, name }) => [at, { id, name }]))
  return wanted.map((_each, at) => byPlace.get(at + 1))
}
