import { createHmac } from 'node:crypto'
import { isSigned } from '../bare-checks.ts'
import type { BareDatabase, BareQueries } from '../bare-database.ts'
import { findContact } from '../bare-ledger.ts'
import { type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'

/** Legs that telephony has not logged, so that each delivery makes a call of its own. */
const UNKNOWN_LEG = 1_000_000_000
const MS_PER_SECOND = 1_000

const KEEP = {
  name: 'keep',
  text: `insert into connect_inbox (key, kind, state, conversation, payload, received_at, attempts, next_attempt_at)
    values ($3, 'voiceai.post_call', 'received', $1, $2, now() at time zone 'utc', 0, (now() at time zone 'utc') + interval '5 s')
    on conflict (key) do nothing returning id`,
}
const CLAIM = {
  name: 'claim_inbox',
  text: `select id, kind, conversation, payload, media_ref, attempts from connect_inbox
    where id = $1 and state in ('received', 'failed') for update skip locked`,
}
const AGENT = { name: 'agent', text: 'select id from connect_voiceai_agent where agent_uid = $1 order by id limit 1' }
const LOCK = {
  name: 'lock',
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 0)), pg_advisory_xact_lock(hashtextextended($2, 0))',
}
const KNOWN = {
  name: 'known',
  text: `select coalesce(c.id, r.call, (select call from connect_channel where sid = $2::text)) as call,
      coalesce(r.voiceai_transcript, r.voiceai_summary, c.voiceai_summary) is not null as is_told, r.id is not null as has_recording
    from (select $1::text as key) given
    left join connect_call c on c.voiceai_conversation_id = given.key
    left join connect_recording r on r.sid = given.key`,
}
const CREATE_CALL = {
  name: 'create_call',
  text: `with kept as (
      insert into connect_call (caller, called, direction, call_type, status, duration, partner, call_sid, voiceai_agent,
        voiceai_conversation_id, voiceai_summary, has_error)
      values ($1, $2, 'incoming', 'phone', $3, $4::bigint, $5::bigint, $6, $7::bigint, $8, $9, false) returning id
    )
    select kept.id,
      pg_notify('connect_records', json_build_object('model', 'connect.call', 'ids', json_build_array(kept.id))::text) as told
    from kept`,
}
const CREATE_RECORDING = {
  name: 'create_recording',
  text: `with kept as (
      insert into connect_recording (id, sid, call_sid, call, channel, partner, caller_user, called_user, caller_number,
        called_number, status, duration, start_time, voiceai_transcript, voiceai_summary, transcription_pending, source)
      select coalesce((select id from connect_recording where sid = $1), nextval('connect_recording_id_seq')), $1, $2, c.id, (select l.id from connect_channel l where l.sid = $2::text), c.partner, c.caller_user,
        c.answered_user, c.caller, c.called, 'completed', $3::bigint, c.create_date, $4, $5, false, 'voiceai'
      from connect_call c where c.id = $6
      on conflict (sid) do update set voiceai_transcript = excluded.voiceai_transcript,
        voiceai_summary = excluded.voiceai_summary, write_date = now() at time zone 'utc'
      returning id)
    select kept.id,
      pg_notify('connect_records', json_build_object('model', 'connect.recording', 'ids', json_build_array(kept.id))::text) as told
    from kept`,
}
const FINISH = {
  name: 'finish',
  text: `update connect_inbox set state = 'done', attempts = attempts + 1, error = null, next_attempt_at = null where id = $1`,
}

interface Conversation {
  agent_id: string
  conversation_id: string
  transcript: { role: string; message: string | null }[]
  metadata: {
    call_duration_secs: number
    phone_call: { call_sid: string; external_number: string; agent_number: string }
  }
  analysis: { call_successful: string; transcript_summary: string }
}

/** A transcript: kept and committed first, then worked into one call and one recording in a second transaction. */
export const postCall: BenchRoute = {
  name: 'post_call',
  path: '/connect_voiceai/post_call',
  ratioMin: { embedded: 5, PostgreSQL: 2.5 },
  writes: { connect_inbox: 1, connect_call: 1, connect_recording: 1 },
  request(n, loaded) {
    const body = JSON.stringify(delivery(n, phoneNumber(spread(n, loaded.contacts))))
    const time = Math.floor(Date.now() / MS_PER_SECOND)
    const signature = createHmac('sha256', loaded.postCallSecret).update(`${time}.${body}`).digest('hex')
    return {
      headers: { 'content-type': 'application/json', 'voiceai-signature': `t=${time},v0=${signature}` },
      body,
    }
  },
  async bare(db, incoming) {
    if (!isSigned(incoming)) return { status: 401, body: '' }
    const payload = incoming.body.toString()
    const { data } = JSON.parse(payload) as { data: Conversation }
    const [kept] = await db.query<{ id: number }>(KEEP, [
      data.conversation_id,
      payload,
      `${Date.now()}-${data.conversation_id}`,
    ])
    await record(db, kept?.id ?? 0)
    return { status: 200, body: '' }
  },
}

async function record(db: BareDatabase, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [claimed] = await tx.query<{ payload: string }>(CLAIM, [id])
    if (claimed === undefined) return
    const { data } = JSON.parse(claimed.payload) as { data: Conversation }
    const { phone_call: phone } = data.metadata
    const contact = await findContact(tx, phone.external_number)
    const [agent] = await tx.query<{ id: number }>(AGENT, [data.agent_id])
    await tx.query(LOCK, [`conversation:${data.conversation_id}`, `call:${phone.call_sid}`])
    const [known] = await tx.query<{ call: number | null }>(KNOWN, [data.conversation_id, phone.call_sid])
    if (known?.call !== null) throw new Error('it was known already')
    await createCall(tx, data, { partner: contact?.id, agent: agent?.id })
    await tx.query(FINISH, [id])
  })
}

async function createCall(
  tx: BareQueries,
  { conversation_id: conversation, transcript, metadata, analysis }: Conversation,
  { partner, agent }: { partner: number | undefined; agent: number | undefined },
): Promise<void> {
  const { call_duration_secs: seconds, phone_call: phone } = metadata
  const status = analysis.call_successful === 'success' ? 'completed' : 'failed'
  const summary = analysis.transcript_summary
  const about = [phone.external_number, phone.agent_number, status, seconds, partner, phone.call_sid, agent]
  const [call] = await tx.query<{ id: number }>(CREATE_CALL, [...about, conversation, summary])
  const spoken = transcript.filter(({ message }) => message !== null)
  const text = spoken.map(({ role, message }) => `${role}: ${message}`).join('\n')
  await tx.query(CREATE_RECORDING, [conversation, phone.call_sid, seconds, text, summary, call?.id])
}

function delivery(n: number, caller: string): object {
  return {
    type: 'post_call_transcription',
    event_timestamp: 1_759_931_652,
    data: {
      agent_id: 'agent_bench',
      agent_name: 'Reception',
      conversation_id: `conv_bench_${n}`,
      status: 'done',
      transcript: TURNS,
      metadata: {
        start_time_unix_secs: Math.floor(Date.now() / MS_PER_SECOND),
        call_duration_secs: 50,
        cost: 296,
        termination_reason: 'client ended',
        phone_call: {
          type: 'twilio',
          direction: 'inbound',
          agent_number: '+41440000000',
          external_number: caller,
          call_sid: legSid(UNKNOWN_LEG + n),
        },
      },
      analysis: { call_successful: 'success', transcript_summary: 'The caller reported that the heating is cold.' },
      conversation_initiation_client_data: { dynamic_variables: {} },
    },
  }
}

/** A conversation of usual length, about four kilobytes. */
const TURNS = Array.from({ length: 16 }, (_, turn) => ({
  role: turn % 2 === 0 ? 'agent' : 'user',
  message:
    turn % 2 === 0
      ? 'I am sorry to hear that. Could you tell me what the display shows, and since when it has been like this?'
      : 'It says E 12, and it has been cold since last night. We have switched it off and on again, but it stays so.',
  tool_calls: null,
  tool_results: null,
  time_in_call_secs: turn * 3,
}))
