import { createHash } from 'node:crypto'
import { hasToken } from '../bare-checks.ts'
import { agentHeaders, type BenchRoute, callId, FIRST_LOADED_ID, spread } from '../route.ts'

const CLAIM = {
  name: 'claim',
  text: `insert into connect_tool_answer (key, answered_at) values ($1, now() at time zone 'utc')
    on conflict (key) do update set answered_at = excluded.answered_at, answer = null
      where connect_tool_answer.answered_at not between excluded.answered_at - interval '90 seconds'
          and excluded.answered_at + interval '90 seconds'
        or (connect_tool_answer.answer is null and connect_tool_answer.answered_at < excluded.answered_at - interval '9 seconds')
    returning id`,
}
const CREATE = {
  name: 'create',
  text: `with the_call as (select id, partner from connect_call where id = $1::bigint),
    contact as (
      select p.id, p.name, p.email, p.phone, p.phone_normalized from res_partner p, the_call
      where p.id = coalesce((select id from res_partner where id = $2::bigint), the_call.partner)
    ),
    team as (
      select id from helpdesk_team
      order by (lower(name) = lower($3::text)) desc nulls last, (name ilike $4::text) desc nulls last,
        (name ilike $5::text) desc nulls last, id limit 1
    ),
    stage as (
      select s.id from helpdesk_stage s
      left join helpdesk_stage_team_rel r on r.stage_id = s.id and r.team_id = (select id from team)
      order by (r.team_id is null), s.sequence, s.id limit 1
    ),
    ticket as (
      insert into helpdesk_ticket (name, description, active, team_id, stage_id, partner_id, partner_name, partner_email,
        partner_phone, phone_normalized, priority, made_in_call, create_uid)
      select $6, $7, true, (select id from team), (select id from stage), contact.id, contact.name, contact.email,
        contact.phone, contact.phone_normalized, '0', the_call.id, null
      from the_call left join contact on true
      returning id, name
    ),
    linked as (
      update connect_call set ticket = (select id from ticket), write_date = now() at time zone 'utc'
      where id = (select id from the_call) returning id
    ),
    told as (
      select pg_notify('connect_records', json_build_object('model', 'helpdesk.ticket', 'ids', json_build_array(ticket.id))::text),
        pg_notify('connect_records', json_build_object('model', 'connect.call', 'ids', json_build_array(linked.id))::text)
      from ticket, linked
    )
    select ticket.id, ticket.name from ticket, told`,
}
const STORE = { name: 'store', text: 'update connect_tool_answer set answer = $2::jsonb where id = $1' }

/** A ticket for a call: a claim against repeats, the ticket, the answer kept, all in one transaction. */
export const createTicket: BenchRoute = {
  name: 'create_ticket',
  path: '/connect_voiceai_helpdesk/create_ticket',
  ratioMin: { embedded: 4, PostgreSQL: 2 },
  writes: { helpdesk_ticket: 1, connect_tool_answer: 1 },
  request: (n, loaded) => ({
    headers: agentHeaders(loaded),
    body: JSON.stringify({
      subject: `The heating in flat ${n} is cold`,
      description: 'It went off last night. The display shows E 12, and a restart did not help.',
      team_name: 'support',
      partner_id: FIRST_LOADED_ID + spread(n, loaded.contacts),
      call_id: callId(spread(n, loaded.calls)),
    }),
  }),
  async bare(db, { headers, body, loaded }) {
    if (!hasToken(headers, loaded)) return { status: 401, body: '' }
    const { subject, description, team_name: team, partner_id: partner, call_id: call } = JSON.parse(body.toString())
    const key = createHash('sha256').update(body).digest('base64url')
    const answer = await db.transaction(async (tx) => {
      const [claim] = await tx.query<{ id: number }>(CLAIM, [key])
      if (claim === undefined) throw new Error('the request was a repeat')
      const values = [call, partner, team, `${team}%`, `%${team}%`, subject, description]
      const [ticket] = await tx.query<{ id: number; name: string }>(CREATE, values)
      const made = {
        ticket_id: ticket?.id,
        ticket_number: ticket?.id,
        ticket_name: ticket?.name,
        message: 'Ticket created successfully',
        say: `I have created ticket number ${ticket?.id}.`,
      }
      await tx.query(STORE, [claim.id, JSON.stringify(made)])
      return made
    })
    return { status: 200, body: JSON.stringify(answer) }
  },
}
