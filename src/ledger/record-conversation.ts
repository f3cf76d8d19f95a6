import { sql } from '../database/drizzle.ts'
import { param, statement } from '../database/statement.ts'
import type { Env } from '../platform/env.ts'
import { findCallById, findCallByLeg, type LedgerCall, lockLedger } from './find-call.ts'

/** What a voice agent's platform says of a conversation, whichever of its deliveries said it. */
export interface ConversationFacts {
  /** The conversation's id, or the call's where there is none. */
  key: string
  conversationId: string | undefined
  callSid: string | undefined
  /** Ids of our call that came back with the conversation, the surest first. */
  callIds: readonly number[]
  agentId: number | undefined
  partnerId: number | undefined
  caller: string | undefined
  called: string | undefined
  direction: 'incoming' | 'outgoing'
  status: 'completed' | 'failed'
  durationSeconds: number
  transcript: string | undefined
  summary: string | undefined
  /** Why the call did not come about. */
  failure?: { code: string; message: string }
}

const FIND_BY_CONVERSATION = statement<
  { id: number; voiceai_summary: string | null; error_code: string | null },
  { id: string }
>(
  'call_by_conversation',
  sql`select id, voiceai_summary, error_code from connect_call where voiceai_conversation_id = ${param('id')}`,
)
const FIND_RECORDING = statement<{ id: number; is_told: boolean }, { sid: string }>(
  'recording_by_sid',
  sql`select id, (voiceai_transcript is not null or voiceai_summary is not null) as is_told
      from connect_recording where sid = ${param('sid')}`,
)
const CREATE_CALL = statement<{ id: number }, Record<string, unknown>>(
  'call_of_conversation_create',
  sql`insert into connect_call (caller, called, direction, call_type, status, duration, partner, call_sid, voiceai_agent,
        voiceai_conversation_id, voiceai_summary, has_error, error_code, error_message, create_uid)
      values (${param('caller')}, ${param('called')}, ${param('direction')}, 'phone', ${param('status')},
        ${param('duration')}::int, ${param('partner')}::int, ${param('call_sid')}, ${param('agent')}::int,
        ${param('conversation')}, ${param('summary')}, ${param('has_error')}::bool, ${param('error_code')},
        ${param('error_message')}, ${param('create_uid')}::int)
      returning id`,
)
// The telephony side knows caller, status and duration better; the agent's side adds what only it knows.
const ATTACH_CALL = statement<{ id: number }, Record<string, unknown>>(
  'call_of_conversation_attach',
  sql`update connect_call set
        voiceai_conversation_id = coalesce(voiceai_conversation_id, ${param('conversation')}::text),
        voiceai_summary = case when voiceai_summary is null or ${param('summary')}::text is null
          then coalesce(voiceai_summary, ${param('summary')}::text)
          else voiceai_summary || E'\n\n' || ${param('summary')}::text end,
        voiceai_agent = coalesce(voiceai_agent, ${param('agent')}::int),
        partner = coalesce(partner, ${param('partner')}::int),
        has_error = coalesce(has_error, false) or ${param('has_error')}::bool,
        error_code = coalesce(error_code, ${param('error_code')}::text),
        error_message = coalesce(error_message, ${param('error_message')}::text),
        write_date = now() at time zone 'utc'
      where id = ${param('id')} returning id`,
)
// A conversation that was reported as failed and then took place after all.
const REVIVE_CALL = statement<{ id: number }, { id: number; status: string; duration: number }>(
  'call_of_conversation_revive',
  sql`update connect_call set status = ${param('status')}, duration = ${param('duration')}::int
      where id = ${param('id')} returning id`,
)
const KEEP_RECORDING = statement<{ id: number }, Record<string, unknown>>(
  'recording_of_conversation_keep',
  sql`insert into connect_recording (sid, call_sid, call, channel, partner, caller_user, called_user, caller_number,
        called_number, status, duration, start_time, voiceai_transcript, voiceai_summary, transcription_pending, source,
        create_uid)
      select ${param('sid')}, ${param('call_sid')}, c.id, (select l.id from connect_channel l where l.sid = ${param('leg')}::text),
        c.partner, c.caller_user, c.answered_user, c.caller, c.called, 'completed', ${param('duration')}::int, c.create_date,
        ${param('transcript')}, ${param('summary')}, false, 'voiceai', ${param('create_uid')}::int
      from connect_call c where c.id = ${param('call')}
      on conflict (sid) do update set call = excluded.call, channel = excluded.channel, partner = excluded.partner,
        call_sid = excluded.call_sid, caller_user = excluded.caller_user, called_user = excluded.called_user,
        caller_number = excluded.caller_number, called_number = excluded.called_number, duration = excluded.duration,
        start_time = excluded.start_time, voiceai_transcript = excluded.voiceai_transcript,
        voiceai_summary = excluded.voiceai_summary, write_date = now() at time zone 'utc'
      returning id`,
)
const KEEP_MEDIA = statement<{ id: number }, Record<string, unknown>>(
  'recording_of_conversation_media',
  sql`insert into connect_recording (sid, call, partner, caller_user, called_user, caller_number, called_number, status,
        transcription_pending, source, media_ref, media_type, recording_filename, create_uid)
      select ${param('sid')}, c.id, c.partner, c.caller_user, c.answered_user, c.caller, c.called, 'completed', false,
        'voiceai', ${param('media_ref')}, ${param('media_type')}, ${param('filename')}, ${param('create_uid')}::int
      from (select 1) one left join connect_call c on c.voiceai_conversation_id = ${param('sid')}
      on conflict (sid) do update set media_ref = excluded.media_ref, media_type = excluded.media_type,
        recording_filename = excluded.recording_filename, write_date = now() at time zone 'utc'
        where connect_recording.media_ref is null
      returning id`,
)

/**
 * Logs a conversation once: one call, and one recording when there is something to read. Joins the call that telephony
 * has already logged. Answers false when everything of it was known already.
 */
export async function recordConversation(env: Env, facts: ConversationFacts): Promise<boolean> {
  await lockLedger(env.db, 'conversation', facts.key)
  if (facts.callSid !== undefined) await lockLedger(env.db, 'call', facts.callSid)
  const [known] = await env.db.run(FIND_BY_CONVERSATION, { id: facts.key })
  const [recording] = await env.db.run(FIND_RECORDING, { sid: facts.key })
  const isTold = recording?.is_told === true || (known !== undefined && known.voiceai_summary !== null)
  if (isTold) return false
  const callId = await findOrCreateCall(env, facts, known)
  const isReadable = facts.transcript !== undefined || facts.summary !== undefined
  if (isReadable) await keepRecording(env, facts, callId)
  await tellCall(env, callId)
  return known === undefined || isReadable
}

/** Attaches stored audio to the conversation's recording, making it when it comes first. Answers false when it had some. */
export async function recordConversationMedia(
  env: Env,
  media: { conversationId: string; reference: string; type: string; filename: string },
): Promise<boolean> {
  await lockLedger(env.db, 'conversation', media.conversationId)
  const rows = await env.db.run(KEEP_MEDIA, {
    sid: media.conversationId,
    media_ref: media.reference,
    media_type: media.type,
    filename: media.filename,
    create_uid: env.identity.userId,
  })
  return rows.length > 0
}

async function findOrCreateCall(
  env: Env,
  facts: ConversationFacts,
  known: { id: number; error_code: string | null } | undefined,
): Promise<number> {
  const existing = known ?? (await findExisting(env, facts))
  const values = {
    conversation: facts.conversationId ?? facts.key,
    summary: facts.summary ?? null,
    agent: facts.agentId ?? null,
    partner: facts.partnerId ?? null,
    has_error: facts.failure !== undefined,
    error_code: facts.failure?.code ?? null,
    error_message: facts.failure?.message ?? null,
  }
  if (existing !== undefined) {
    await env.db.run(ATTACH_CALL, { ...values, id: existing.id })
    const wasFailure = known !== undefined && known.error_code !== null && facts.failure === undefined
    if (wasFailure)
      await env.db.run(REVIVE_CALL, { id: known.id, status: facts.status, duration: facts.durationSeconds })
    return existing.id
  }
  const [created] = await env.db.run(CREATE_CALL, {
    ...values,
    caller: facts.caller ?? null,
    called: facts.called ?? null,
    direction: facts.direction,
    status: facts.status,
    duration: facts.durationSeconds,
    call_sid: facts.callSid ?? null,
    create_uid: env.identity.userId,
  })
  if (created === undefined) throw new Error('the call was not created')
  return created.id
}

async function findExisting(env: Env, facts: ConversationFacts): Promise<LedgerCall | undefined> {
  for (const id of facts.callIds) {
    const call = await findCallById(env.db, id)
    if (call !== undefined) return call
  }
  return facts.callSid === undefined ? undefined : findCallByLeg(env.db, facts.callSid)
}

async function keepRecording(env: Env, facts: ConversationFacts, callId: number): Promise<void> {
  await env.db.run(KEEP_RECORDING, {
    sid: facts.key,
    call_sid: facts.callSid ?? facts.key,
    leg: facts.callSid ?? null,
    call: callId,
    duration: facts.durationSeconds,
    transcript: facts.transcript ?? null,
    summary: facts.summary ?? null,
    create_uid: env.identity.userId,
  })
}

async function tellCall(env: Env, callId: number): Promise<void> {
  await env.db.notify('connect_records', JSON.stringify({ model: 'connect.call', ids: [callId] }))
}
