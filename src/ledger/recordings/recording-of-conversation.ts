import { sql } from '../../database/drizzle.ts'
import { idOf } from '../../database/ids.ts'
import { statement } from '../../database/statement.ts'
import { type GivenRows, givenRows } from '../../platform/model/given-rows.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { notifyAllChangedSql } from '../../platform/records/notify-changed.ts'
import { recordingModel } from './recording.ts'

const SPOKEN = [
  ...(['sid', 'call_sid', 'call', 'duration', 'voiceai_transcript', 'voiceai_summary'] as const),
  ...(['turns', 'conversation_started_at', 'termination_reason', 'create_uid'] as const),
] as const
const AUDIO = ['sid', 'media_ref', 'media_type', 'recording_filename', 'create_uid'] as const

type Columns<Name extends keyof RowOf<typeof recordingModel>> = RowOf<typeof recordingModel, Name>
/** What was said in a conversation, and on which leg. */
export type SpokenRow = Columns<(typeof SPOKEN)[number]> & { leg: string | null }
/** How a conversation sounds. */
export type AudioRow = Columns<(typeof AUDIO)[number]>

const ID = idOf('connect_recording', sql`present.sid = r.sid`)

// Both in the order of their keys, so that nobody who writes several waits for another in a circle. Nobody waits for
// what the first one answers.
export const UPSERT_RECORDINGS = statement<never, GivenRows>(
  'recordings_of_conversations_upsert',
  sql`with stored as (insert into connect_recording (id, sid, call_sid, call, channel, partner, caller_user, called_user, caller_number,
        called_number, status, duration, start_time, voiceai_transcript, voiceai_summary, turns, conversation_started_at, termination_reason,
        transcription_pending, source, create_uid)
      select ${ID}, r.sid, r.call_sid, c.id, (select l.id from connect_channel l where l.sid = r.leg),
        c.partner, c.caller_user, c.answered_user, c.caller, c.called, 'completed', r.duration, c.create_date,
        r.voiceai_transcript, r.voiceai_summary, r.turns, r.conversation_started_at, r.termination_reason, false, 'voiceai', r.create_uid
      from ${givenRows(recordingModel, SPOKEN, { leg: 'text' })} join connect_call c on c.id = r.call order by r.sid
      on conflict (sid) do update set call = excluded.call, channel = excluded.channel, partner = excluded.partner,
        call_sid = excluded.call_sid, caller_user = excluded.caller_user, called_user = excluded.called_user,
        caller_number = excluded.caller_number, called_number = excluded.called_number, duration = excluded.duration,
        start_time = excluded.start_time, voiceai_transcript = excluded.voiceai_transcript,
        voiceai_summary = excluded.voiceai_summary, turns = excluded.turns,
        conversation_started_at = excluded.conversation_started_at, termination_reason = excluded.termination_reason,
        write_date = now() at time zone 'utc'
      returning id, call)
    ${notifyAllChangedSql(recordingModel.name, sql`stored`)}`,
)

// A conversation that has its audio already gives no row.
export const UPSERT_MEDIA = statement<{ id: number; sid: string; call: number | null }, GivenRows>(
  'recordings_of_conversations_media',
  sql`insert into connect_recording (id, sid, call_sid, call, partner, caller_user, called_user, caller_number, called_number,
        status, transcription_pending, source, media_ref, media_type, recording_filename, create_uid)
      select ${ID}, r.sid, coalesce(c.call_sid, r.sid), c.id, c.partner, c.caller_user, c.answered_user, c.caller, c.called,
        'completed', false, 'voiceai', r.media_ref, r.media_type, r.recording_filename, r.create_uid
      from ${givenRows(recordingModel, AUDIO)} left join connect_call c on c.voiceai_conversation_id = r.sid order by r.sid
      on conflict (sid) do update set media_ref = excluded.media_ref, media_type = excluded.media_type,
        recording_filename = excluded.recording_filename, write_date = now() at time zone 'utc'
        where connect_recording.media_ref is null
      returning id, sid, call`,
)
