// How a call to a phone user is answered, by hand: the walk through the user's phones begins with the web phone.
import type { BareQueries } from './bare-database.ts'
import type { BareReply } from './route.ts'
import { PUBLIC_URL } from './telco-request.ts'

const USER = {
  name: 'ringing_user',
  text: `select u.id, u.name, u.username, d.subdomain, u.client_ring_timeout, u.sip_ring_timeout, u.record_calls,
      u.greeting_message, u.language, u.voice, u.voicemail_prompt,
      case when f.file is not null then f.id end as file_id, f.filename, f.text as file_text,
      (select json_agg(json_build_object('id', s.id, 'type', s.callflow_type) order by s.prio, s.id)
        from connect_telco_user_callflow s where s."user" = u.id) as steps,
      (select json_agg(t.callflow) from connect_telco_user_callflow_call t where t.call = $2) as tried
    from connect_user u left join connect_telco_domain d on d.id = u.domain
    left join connect_voiceai_file f on f.id = u.voicemail_prompt_file
    where u.id = $1 and u.active is not false`,
}
const START_WALK = {
  name: 'start_walk',
  text: `with others as (
      delete from connect_telco_user_callflow_call where call = $1 and callflow <> $2
        and callflow in (select id from connect_telco_user_callflow where "user" = $3))
    insert into connect_telco_user_callflow_call (call, callflow) values ($1, $2) on conflict (call, callflow) do nothing`,
}
const PARTIES = {
  name: 'parties',
  text: `select u.id as user_id, u.name, u.username, d.subdomain, e.number as extension, o.number as own_callerid, u.record_calls,
      u.language, u.voice,
      (select number from connect_telco_outgoing_callerid where is_default order by id limit 1) as default_callerid,
      p.id as partner_id, p.name as partner_name, l.name as login_name
    from (select 1) one
    left join connect_user u on u.username = $1 and u.active is not false
    left join connect_telco_domain d on d.id = u.domain
    left join connect_telco_exten e on e.id = u.telco_exten
    left join connect_telco_outgoing_callerid o on o.id = u.telco_outgoing_callerid and o.status is distinct from 'validation failed'
    left join connect_call c on c.id = $2
    left join res_partner p on p.id = c.partner
    left join res_users l on l.id = c.caller_user`,
}

interface RingingUser {
  id: number
  username: string
  subdomain: string
  client_ring_timeout: number
  greeting_message: string
  language: string
  steps: { id: number }[]
}

/** Rings the web phone of the user. */
export async function ringUser(
  tx: BareQueries,
  { user: id, call, caller }: { user: number; call: number; caller: string | undefined },
): Promise<BareReply> {
  const [user] = await tx.query<RingingUser>(USER, [id, call])
  if (user === undefined) throw new Error('the user was not loaded')
  await tx.query(START_WALK, [call, user.steps[0]?.id, id])
  const [parties] = await tx.query<{ partner_id: number; partner_name: string }>(PARTIES, [null, call])
  const action = attribute(`${PUBLIC_URL}/telco/webhook/connect.user/call_action/${id}#e=ashburn`)
  const recorded = attribute(`${PUBLIC_URL}/telco/webhook/recordingstatus#e=ashburn&rc=2&rp=ct,rt,5xx`)
  const status = attribute(`${PUBLIC_URL}/telco/webhook/callstatus#e=ashburn&rc=2&rp=ct,rt,5xx`)
  const parameters = Object.entries({ From: caller, CallerName: parties?.partner_name, Partner: parties?.partner_id })
    .map(([name, value]) => `<Parameter name="${name}" value="${attribute(String(value))}"/>`)
    .join('')
  const dial = `<Dial timeout="${user.client_ring_timeout}" action="${action}" record="record-from-answer" recordingStatusCallback="${recorded}" callerId="${attribute(String(caller))}">`
  const client = `<Client statusCallback="${status}" statusCallbackEvent="initiated answered completed">`
  const identity = `<Identity>${user.username}@${user.subdomain}.sip.twilio.com</Identity>`
  const greeting = `<Say language="${user.language}" voice="Woman">${attribute(user.greeting_message)}</Say>`
  const body = `<Response>${greeting}${dial}${client}${identity}${parameters}</Client></Dial></Response>`
  return { status: 200, body, contentType: 'text/xml; charset=utf-8' }
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
