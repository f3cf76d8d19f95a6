import { sql } from '../../database/drizzle.ts'
import { idOf } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import { told } from '../../platform/records/told.ts'

/** How the error of a conversation that was never connected begins; a transcript that comes later takes it away. */
export const FAILURE_PREFIX = 'The call could not be started: '

/** What the ledger has of a conversation, and of the call it belongs to. */
export interface Known {
  /** The call: that of the conversation, else the one telephony logged. */
  call: number | null
  /** Whether the conversation has its call already. */
  is_known: boolean
  /** Whether what was said is stored already. */
  is_recorded: boolean
  /** Whether the call was reported as one that could not be started. */
  has_failed: boolean
  has_recording: boolean
}

// The surest way to telephony's call comes first (docs/reference/domain.md#call-of-a-conversation).
export const FIND_KNOWN = statement<
  Known,
  { key: string; first_id: number | null; second_id: number | null; call_sid: string | null }
>(
  'conversation_known',
  sql`select coalesce(c.id, r.call,
        (select id from connect_call where id = ${param('first_id')}::bigint),
        (select id from connect_call where id = ${param('second_id')}::bigint),
        (select call from connect_channel where sid = ${param('call_sid')}::text)) as call,
        c.id is not null as is_known,
        coalesce(r.voiceai_transcript, r.voiceai_summary, c.voiceai_summary) is not null as is_recorded,
        coalesce(starts_with(c.error_message, ${sql.raw(`'${FAILURE_PREFIX}'`)}), false) as has_failed,
        r.id is not null as has_recording
      from (select ${param('key')}::text as key) given
      left join connect_call c on c.voiceai_conversation_id = given.key
      left join connect_recording r on r.sid = given.key`,
)

const NOTIFY_CALL = told('connect.call', sql`saved.id`)
const NOTIFY_RECORDING = told('connect.recording', sql`saved.id`)

export const CREATE_CALL = statement<{ id: number }, Record<string, unknown>>(
  'call_of_conversation_create',
  sql`with saved as (
        insert into connect_call (caller, called, direction, call_type, status, duration, partner, call_sid, voiceai_agent,
          voiceai_conversation_id, voiceai_summary, has_error, error_code, error_message, create_uid)
        values (${param('caller')}, ${param('called')}, ${param('direction')}, 'phone', ${param('status')},
          ${param('duration')}::int, ${param('partner')}::bigint, ${param('call_sid')}, ${param('agent')}::bigint,
          ${param('conversation')}, ${param('summary')}, ${param('error_code')}::text is not null, ${param('error_code')}::text,
          ${param('error_message')}, ${param('create_uid')}::bigint)
        returning id
      )
      select saved.id, ${NOTIFY_CALL} as notified from saved`,
)

// The telephony side knows caller, status and duration better; the agent's side adds what only it knows.
export const ATTACH_CALL = statement<{ id: number }, Record<string, unknown>>(
  'call_of_conversation_attach',
  sql`with saved as (
        update connect_call set
          voiceai_conversation_id = coalesce(voiceai_conversation_id, ${param('conversation')}::text),
          voiceai_summary = coalesce(voiceai_summary || E'\n\n' || ${param('summary')}::text, voiceai_summary, ${param('summary')}::text),
          voiceai_agent = coalesce(voiceai_agent, ${param('agent')}::bigint),
          partner = coalesce(partner, ${param('partner')}::bigint),
          write_date = now() at time zone 'utc'
        where id = ${param('id')} returning id
      )
      select saved.id, ${NOTIFY_CALL} as notified from saved`,
)

// Only a call that telephony knows nothing of has its state from here.
const HAS_NO_LEGS = sql`not exists (select 1 from connect_channel l where l.call = connect_call.id)`

/** Marks a call as one that could not be started; an error that telephony reported stays. */
export const FAIL_CALL = statement<{ id: number }, Record<string, unknown>>(
  'call_of_conversation_fail',
  sql`update connect_call set has_error = true,
        error_code = case when error_code is null and error_message is null then ${param('error_code')}::text else error_code end,
        error_message = case when error_code is null and error_message is null then ${param('error_message')}::text else error_message end,
        status = case when ${param('is_known')}::bool and ${HAS_NO_LEGS} then 'failed' else status end,
        duration = case when ${param('is_known')}::bool and ${HAS_NO_LEGS} then 0 else duration end
      where id = ${param('id')} returning id`,
)

/** Removes the failure of a call whose conversation took place after all. */
export const REVIVE_CALL = statement<{ id: number }, { id: number; status: string; duration: number }>(
  'call_of_conversation_revive',
  sql`update connect_call set has_error = false, error_code = null, error_message = null,
        status = case when ${HAS_NO_LEGS} then ${param('status')}::text else status end,
        duration = case when ${HAS_NO_LEGS} then ${param('duration')}::int else duration end
      where id = ${param('id')} returning id`,
)

export const UPSERT_RECORDING = statement<{ id: number }, Record<string, unknown>>(
  'recording_of_conversation_upsert',
  sql`with saved as (
      insert into connect_recording (id, sid, call_sid, call, channel, partner, caller_user, called_user, caller_number,
        called_number, status, duration, start_time, voiceai_transcript, voiceai_summary, transcription_pending, source,
        create_uid)
      select ${idOf('connect_recording', sql`present.sid = ${param('sid')}`)}, ${param('sid')}, ${param('call_sid')}, c.id, (select l.id from connect_channel l where l.sid = ${param('leg')}::text),
        c.partner, c.caller_user, c.answered_user, c.caller, c.called, 'completed', ${param('duration')}::int, c.create_date,
        ${param('transcript')}, ${param('summary')}, false, 'voiceai', ${param('create_uid')}::bigint
      from connect_call c where c.id = ${param('call')}
      on conflict (sid) do update set call = excluded.call, channel = excluded.channel, partner = excluded.partner,
        call_sid = excluded.call_sid, caller_user = excluded.caller_user, called_user = excluded.called_user,
        caller_number = excluded.caller_number, called_number = excluded.called_number, duration = excluded.duration,
        start_time = excluded.start_time, voiceai_transcript = excluded.voiceai_transcript,
        voiceai_summary = excluded.voiceai_summary, write_date = now() at time zone 'utc'
      returning id)
      select saved.id, ${NOTIFY_RECORDING} as notified from saved`,
)

export const UPSERT_MEDIA = statement<{ call: number | null }, Record<string, unknown>>(
  'recording_of_conversation_media',
  sql`with saved as (
      insert into connect_recording (id, sid, call_sid, call, partner, caller_user, called_user, caller_number, called_number,
        status, transcription_pending, source, media_ref, media_type, recording_filename, create_uid)
      select ${idOf('connect_recording', sql`present.sid = given.sid`)}, given.sid, coalesce(c.call_sid, given.sid), c.id, c.partner, c.caller_user, c.answered_user, c.caller, c.called,
        'completed', false, 'voiceai', ${param('media_ref')}, ${param('media_type')}, ${param('filename')},
        ${param('create_uid')}::bigint
      from (select ${param('sid')}::text as sid) given left join connect_call c on c.voiceai_conversation_id = given.sid
      on conflict (sid) do update set media_ref = excluded.media_ref, media_type = excluded.media_type,
        recording_filename = excluded.recording_filename, write_date = now() at time zone 'utc'
        where connect_recording.media_ref is null
      returning id, call)
      select saved.call, ${NOTIFY_RECORDING} as notified from saved`,
)
