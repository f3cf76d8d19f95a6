import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { answerOnce } from '../../deliveries/tools/tool-answers.ts'
import {
  optionalIdArgument,
  requireIdArgument,
  TEXT_CHARS_MAX,
  textArgument,
} from '../../deliveries/tools/tool-arguments.ts'
import type { ToolArguments, ToolUse } from '../../deliveries/tools/tool-table.ts'
import { Refusal } from '../../errors.ts'
import { findReach, requireOwnCall } from '../../ledger/calls/call-reach.ts'
import { toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import { escapeLike } from '../../platform/records/condition.ts'
import { told } from '../../platform/records/told.ts'

/** What a ticket is called when the agent gave no subject (docs/reference/contract.md#helpdesk-tools). */
export const SUBJECT_DEFAULT = 'Ticket from phone call'

interface Wanted {
  call_id: number
  partner_id: number | null
  name: string
  description: string | null
  team: string | null
  team_like: string | null
  team_prefix: string | null
  email: string | null
  phone: string | null
  phone_e164: string | null
  create_uid: number
}

// One round trip: the call's contact, the team, its first stage, the ticket, and the link back to the call.
const CREATE = statement<{ id: number; name: string }, Wanted>(
  'helpdesk_ticket_create',
  sql`with the_call as (select id, partner from connect_call where id = ${param('call_id')}::bigint),
    contact as (
      select p.id, p.name, p.email, p.phone, p.phone_normalized from res_partner p, the_call
      where p.id = coalesce((select id from res_partner where id = ${param('partner_id')}::bigint), the_call.partner)
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
    linked as (
      update connect_call set ticket = (select id from ticket), write_date = now() at time zone 'utc'
      where id = (select id from the_call) returning id
    ),
    told as (
      select ${told('helpdesk.ticket', sql`ticket.id`)}, ${told('connect.call', sql`linked.id`)} from ticket, linked
    )
    select ticket.id, ticket.name from ticket, told`,
)

/** Creates a ticket for a call; the same call asking for the same within 90 seconds gets the first one. */
export async function createTicket(env: Env, args: ToolArguments, { named, about }: ToolUse): Promise<object> {
  const callId = requireIdArgument(args, 'call_id', 'The call_id is required to create a ticket.')
  about.call = callId
  requireOwnCall(env, named, callId)
  const wanted = await ofReachedContact(env, wantedTicket(env, callId, args), named)
  return answerOnce(env, ['create_ticket', wanted], async () => {
    const [ticket] = await env.db.run(CREATE, wanted)
    if (ticket === undefined) throw new Refusal('not-found', `There is no call ${callId}, so no ticket was created.`)
    return {
      ticket_id: ticket.id,
      ticket_number: ticket.id,
      ticket_name: ticket.name,
      message: 'Ticket created successfully',
      say: `I have created ticket number ${ticket.id}.`,
    }
  })
}

/** Where the platform names the call, a contact that is not the caller's counts as none. */
async function ofReachedContact(env: Env, wanted: Wanted, named: ToolUse['named']): Promise<Wanted> {
  if (wanted.partner_id === null || named?.isByHeader !== true) return wanted
  const reach = await findReach(env, named)
  return reach?.contacts.includes(wanted.partner_id) === false ? { ...wanted, partner_id: null } : wanted
}

function wantedTicket(env: Env, callId: number, args: ToolArguments): Wanted {
  const team = textArgument(args, 'team_name')
  const phone = textArgument(args, 'phone')
  return {
    call_id: callId,
    // An unknown or unreadable contact counts as none: the call's own contact is taken then.
    partner_id: optionalIdArgument(args, 'partner_id', true) ?? null,
    name: textArgument(args, 'subject') ?? SUBJECT_DEFAULT,
    description: textArgument(args, 'description', TEXT_CHARS_MAX) ?? null,
    team: team ?? null,
    team_like: team === undefined ? null : `%${escapeLike(team)}%`,
    team_prefix: team === undefined ? null : `${escapeLike(team)}%`,
    email: textArgument(args, 'email') ?? null,
    phone: phone ?? null,
    phone_e164: toE164(phone, env.settings.country) ?? null,
    create_uid: env.identity.userId,
  }
}
