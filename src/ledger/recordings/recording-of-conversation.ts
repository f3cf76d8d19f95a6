import { sql } from '../../database/drizzle.ts'
import { idOf } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { ParamsOf } from '../../platform/model/statements.ts'
import { notifyChangedSql } from '../../platform/records/notify-changed.ts'
import type { recordingModel } from './recording.ts'

type Columns<Name extends keyof RowOf<typeof recordingModel>> = ParamsOf<typeof recordingModel, Name>
type Spoken = Columns<'sid' | 'call_sid' | 'duration' | 'voiceai_transcript' | 'voiceai_summary' | 'create_uid'> &
  Columns<'turns' | 'conversation_started_at' | 'termination_reason'>
type Audio = Columns<'sid' | 'media_ref' | 'media_type' | 'recording_filename' | 'create_uid'>

const NOTIFY_RECORDING = notifyChangedSql('connect.recording', sql`saved.id`)

export const UPSERT_RECORDING = statement<{ id: number }, Spoken & { leg: string | null; call: number }>(
  'recording_of_conversation_upsert',
  sql`with saved as (
      insert into connect_recording (id, sid, call_sid, call, channel, partner, caller_user, called_user, caller_number,
        called_number, status, duration, start_time, voiceai_transcript, voiceai_summary, turns, conversation_started_at, termination_reason,
        transcription_pending, source, create_uid)
      select ${idOf('connect_recording', sql`present.sid = ${param('sid')}`)}, ${param('sid')}, ${param('call_sid')}, c.id, (select l.id from connect_channel l where l.sid = ${param('leg')}::text),
        c.partner, c.caller_user, c.answered_user, c.caller, c.called, 'completed', ${param('duration')}::int, c.create_date,
        ${param('voiceai_transcript')}, ${param('voiceai_summary')}, ${param('turns')}::jsonb,
        ${param('conversation_started_at')}::timestamp, ${param('termination_reason')}, false, 'voiceai', ${param('create_uid')}::bigint
      from connect_call c where c.id = ${param('call')}
      on conflict (sid) do update set call = excluded.call, channel = excluded.channel, partner = excluded.partner,
        call_sid = excluded.call_sid, caller_user = excluded.caller_user, called_user = excluded.called_user,
        caller_number = excluded.caller_number, called_number = excluded.called_number, duration = excluded.duration,
        start_time = excluded.start_time, voiceai_transcript = excluded.voiceai_transcript,
        voiceai_summary = excluded.voiceai_summary, turns = excluded.turns,
        conversation_started_at = excluded.conversation_started_at, termination_reason = excluded.termination_reason,
        write_date = now() at time zone 'utc'
      returning id)
      select saved.id, ${NOTIFY_RECORDING} as notified from saved`,
)

export const UPSERT_MEDIA = statement<{ call: number | null }, Audio>(
  'recording_of_conversation_media',
  sql`with saved as (
      insert into connect_recording (id, sid, call_sid, call, partner, caller_user, called_user, caller_number, called_number,
        status, transcription_pending, source, media_ref, media_type, recording_filename, create_uid)
      select ${idOf('connect_recording', sql`present.sid = given.sid`)}, given.sid, coalesce(c.call_sid, given.sid), c.id, c.partner, c.caller_user, c.answered_user, c.caller, c.called,
        'completed', false, 'voiceai', ${param('media_ref')}, ${param('media_type')}, ${param('recording_filename')},
        ${param('create_uid')}::bigint
      from (select ${param('sid')}::text as sid) given left join connect_call c on c.voiceai_conversation_id = given.sid
      on conflict (sid) do update set media_ref = excluded.media_ref, media_type = excluded.media_type,
        recording_filename = excluded.recording_filename, write_date = now() at time zone 'utc'
        where connect_recording.media_ref is null
      returning id, call)
      select saved.call, ${NOTIFY_RECORDING} as notified from saved`,
)
