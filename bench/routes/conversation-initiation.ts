import { hasToken } from '../bare-checks.ts'
import type { BareDatabase } from '../bare-database.ts'
import { agentHeaders, type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'

interface Call {
  id: number
  caller: string
  called: string
  partner: number
  channel_sid: string
  voiceai_agent: number | null
}
interface Contact {
  id: number
  name: string
  phone: string
  lang: string
  tz: string
}

const CALL = {
  name: 'call',
  text: `select c.id, c.caller, c.called, c.direction, c.partner, u.partner_id as caller_user_partner, c.voiceai_agent,
      c.voiceai_conversation_id, (select l.sid from connect_channel l where l.call = c.id
        order by (l.parent_sid is not null and l.parent_sid <> ''), l.id limit 1) as channel_sid
    from connect_channel leg join connect_call c on c.id = leg.call
    left join res_users u on u.id = c.caller_user where leg.sid = $1`,
}
const TAG = {
  name: 'tag',
  text: `with kept as (
      update connect_call c set voiceai_agent = a.id
      from (select id from connect_voiceai_agent where agent_uid = $1 order by id limit 1) a
      where c.id = $2 and c.voiceai_agent is null returning c.id
    )
    select kept.id,
      pg_notify('connect_records', json_build_object('model', 'connect.call', 'ids', json_build_array(kept.id))::text) as told
    from kept`,
}
const CONTACT = { name: 'contact', text: 'select id, name, phone, email, lang, tz from res_partner where id = $1' }
const PREVIOUS = {
  name: 'previous',
  text: `select voiceai_conversation_id as conversation, voiceai_summary as summary from connect_call
    where caller = $1 and called = $2 and voiceai_conversation_id is not null and ($3::bigint is null or id < $3::bigint)
    order by id desc limit 1`,
}
const USERS = {
  name: 'users',
  text: `select u.name, e.number as extension from connect_user p
    join res_users u on u.id = p."user" join connect_telco_exten e on e.id = p.telco_exten
    where p.active order by u.name, p.id limit 500`,
}
const EXTENSIONS = {
  name: 'extensions',
  text: `select e.id, e.number, coalesce(
      case e.model
        when 'connect.user' then (select u.name from connect_user p join res_users u on u.id = p."user" where p.id = e.res_id)
        when 'connect.telco.callflow' then (select name from connect_telco_callflow where id = e.res_id)
        when 'connect.telco.markup' then (select name from connect_telco_markup where id = e.res_id)
        when 'connect.voiceai_agent' then (select name from connect_voiceai_agent where id = e.res_id)
      end, '') as name
    from connect_telco_exten e where e.is_published order by e.number, e.id limit 500`,
}

/** What a voice agent is told before it speaks: the call, its contact, what was said before, who can be reached. */
export const conversationInitiation: BenchRoute = {
  name: 'conversation_initiation',
  path: '/connect_voiceai/conversation_initiation',
  ratioMin: { embedded: 4, PostgreSQL: 1.5 },
  writes: {},
  request(n, loaded) {
    const call = spread(n, loaded.calls)
    return {
      headers: agentHeaders(loaded),
      body: JSON.stringify({
        caller_id: phoneNumber(call % loaded.contacts),
        agent_id: 'agent_bench',
        called_number: '+41440000000',
        call_sid: legSid(call),
        conversation_id: `conv_initiation_${n}`,
      }),
    }
  },
  async bare(db, { headers, body, loaded }) {
    if (!hasToken(headers, loaded)) return { status: 401, body: '' }
    const { agent_id: agentUid, call_sid: sid } = JSON.parse(body.toString())
    const [[call], users, extensions] = await Promise.all([
      db.query<Call>(CALL, [sid]),
      db.query<{ name: string; extension: string }>(USERS, []),
      db.query<{ number: string; name: string }>(EXTENSIONS, []),
    ])
    if (call === undefined) throw new Error('the call was not loaded')
    const [[contact], [previous]] = await Promise.all([
      db.query<Contact>(CONTACT, [call.partner]),
      db.query<{ conversation: string; summary: string }>(PREVIOUS, [call.caller, call.called, call.id]),
      tag(db, call, agentUid),
    ])
    return { status: 200, body: JSON.stringify(envelope({ call, contact, previous, users, extensions })) }
  },
}

async function tag(db: BareDatabase, call: Call, agentUid: string): Promise<void> {
  if (call.voiceai_agent !== null) return
  await db.query(TAG, [agentUid, call.id])
}

function envelope(known: {
  call: Call
  contact: Contact | undefined
  previous: { conversation: string; summary: string } | undefined
  users: readonly { name: string; extension: string }[]
  extensions: readonly { number: string; name: string }[]
}): object {
  const { call, contact, previous, users, extensions } = known
  return {
    type: 'conversation_initiation_client_data',
    dynamic_variables: {
      call_id: String(call.id),
      channel_sid: call.channel_sid,
      caller_number: call.caller,
      called_number: call.called,
      partner_id: String(contact?.id ?? ''),
      partner_name: contact?.name ?? 'Not registered',
      existing_partner: contact === undefined ? 'No' : 'Yes',
      partner_phone: contact?.phone ?? '',
      partner_tz: contact?.tz ?? '',
      greeting: contact?.name ?? 'Dear customer',
      previous_conversation_id: previous?.conversation ?? '',
      previous_topics: previous?.summary ?? '',
      users_directory: users.map(({ name, extension }) => `${name} <${extension}>`).join(', '),
      available_extensions: extensions.map(({ number, name }) => `<${number}> "${name}"`).join(', '),
    },
  }
}
