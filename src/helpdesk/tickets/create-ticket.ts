import { contactColumn, contactToCopy } from '../../contacts/contact-sql.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { callOfTicket, linkTicket } from '../../ledger/calls/call-ticket.ts'
import { notifyChangedSql } from '../../platform/records/notify-changed.ts'

/** A ticket that a call asks for. */
interface TicketForCall {
  call_id: number
  /** In place of the call's contact. */
  partner_id: number | null
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

// One round trip: the call's contact, the team, its first stage, the ticket, and the link back to the call.
const CREATE = statement<{ id: number; name: string }, TicketForCall>(
  'helpdesk_ticket_create',
  sql`with the_call as (${callOfTicket(sql`${param('call_id')}::bigint`)}),
    contact as (
      ${contactToCopy(sql`coalesce(${contactColumn('id', sql`${param('partner_id')}::bigint`)}, (select partner from the_call))`)}
    ),
    team as (
      select id from helpdesk_team
      order by (lower(name) = lower(${param('team')}::text)) desc nulls last, (name ilike ${param('team_prefix')}::text) desc nulls last,
        (name ilike ${param('team_like')}::text) desc nulls last, id limit 1
    ),
    stage as (
      select s.id from helpdesk_stage s
      left join helpdesk_stage_team_rel r on r.stage_id = s.id and r.team_id = (select id from team)
      order by (r.team_id is null), s.sequence, s.id limit 1
    ),
    ticket as (
      insert into helpdesk_ticket (name, description, active, team_id, stage_id, partner_id, partner_name, partner_email,
        partner_phone, phone_normalized, priority, made_in_call, create_uid)
      select ${param('name')}, ${param('description')}, true, (select id from team), (select id from stage), contact.id,
        contact.name,
        case when contact.id is null then ${param('email')}::text else contact.email end,
        case when contact.id is null then ${param('phone')}::text else contact.phone end,
        case when contact.id is null then ${param('phone_e164')}::text else contact.phone_normalized end,
        '0', the_call.id, ${param('create_uid')}::bigint
      from the_call left join contact on true
      returning id, name
    ),
    linked as (${linkTicket(sql`(select id from the_call)`, sql`(select id from ticket)`)}),
    notified as (
      select ${notifyChangedSql('helpdesk.ticket', sql`ticket.id`)}, ${notifyChangedSql('connect.call', sql`linked.id`)} from ticket, linked
    )
    select ticket.id, ticket.name from ticket, notified`,
)

/** Creates the ticket of a call and links the call to it; nothing when there is no such call. */
export async function createTicketForCall(
  db: Queryable,
  wanted: TicketForCall,
): Promise<{ id: number; name: string } | undefined> {
  const [ticket] = await db.run(CREATE, wanted)
  return ticket
}
