import { type SQL, sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { statement } from '../../database/statement.ts'
import { type GivenRows, givenRows } from '../../platform/model/given-rows.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
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

/** What a conversation says of its recording, and what its call does. */
const SAID = [
  ...([
    'call',
    'channel',
    'partner',
    'call_sid',
    'caller_user',
    'called_user',
    'caller_number',
    'called_number',
  ] as const),
  ...(['duration', 'start_time', 'voiceai_transcript', 'voiceai_summary', 'turns'] as const),
  ...(['conversation_started_at', 'termination_reason'] as const),
] as const
const HEARD = ['media_ref', 'media_type', 'recording_filename'] as const

/** Sets each of the columns of `r` to what `g` has. */
function setTo(names: readonly string[]): SQL {
  return sql.join(
    names.map((name) => sql`${sql.identifier(name)} = g.${sql.identifier(name)}`),
    sql`, `,
  )
}

// Both under the locks on their conversations, so no index needs to tell which recording is there, and in the order of their keys.
// Nobody waits for what the first one answers.
export const SAVE_RECORDINGS = statement<never, GivenRows>(
  'recordings_of_conversations_save',
  sql`with given as materialized (
        select r.sid, r.call_sid, c.id as call, (select l.id from connect_channel l where l.sid = r.leg) as channel,
          c.partner, c.caller_user, c.answered_user as called_user, c.caller as caller_number, c.called as called_number, r.duration,
          c.create_date as start_time, r.voiceai_transcript, r.voiceai_summary, r.turns, r.conversation_started_at,
          r.termination_reason, r.create_uid
        from ${givenRows(recordingModel, SPOKEN, { leg: 'text' })} join connect_call c on c.id = r.call),
      changed as (update connect_recording r set ${setTo(SAID)}, ${writtenBy(sql`g.create_uid`)}
        from given g where r.sid = g.sid returning r.id, r.call, r.sid),
      added as (insert into connect_recording (sid, status, transcription_pending, source, create_uid, write_uid, ${columnsOf(recordingModel, SAID)})
        select g.sid, 'completed', false, 'voiceai', g.create_uid, g.create_uid, ${columnsOf(recordingModel, SAID, 'g')} from given g
        where g.sid not in (select sid from changed) order by g.sid returning id, call),
      stored as (select id, call from changed union all select id, call from added)
    ${notifyAllChangedSql(recordingModel.name, sql`stored`)}`,
)

// A conversation that has its audio already gives no row, nor does one whose person was erased.
export const SAVE_MEDIA = statement<{ id: number; sid: string; call: number | null }, GivenRows>(
  'recordings_of_conversations_media',
  sql`with given as materialized (
        select r.*, coalesce(c.call_sid, r.sid) as call_sid, c.id as call, c.partner, c.caller_user, c.answered_user as called_user,
          c.caller as caller_number, c.called as called_number, k.id as known
        from ${givenRows(recordingModel, AUDIO)}
        left join lateral (select * from connect_call each where each.voiceai_conversation_id = r.sid limit 1) c on true
        left join lateral (select id from connect_recording each where each.sid = r.sid limit 1) k on true
        where c.erased_at is null),
      changed as (update connect_recording r set ${setTo(HEARD)}, ${writtenBy(sql`g.create_uid`)}
        from given g where r.id = g.known and r.media_ref is null returning r.id, r.sid, r.call),
      added as (insert into connect_recording (sid, call_sid, call, partner, caller_user, called_user, caller_number, called_number,
          status, transcription_pending, source, create_uid, write_uid, ${columnsOf(recordingModel, HEARD)})
        select g.sid, g.call_sid, g.call, g.partner, g.caller_user, g.called_user, g.caller_number, g.called_number,
          'completed', false, 'voiceai', g.create_uid, g.create_uid, ${columnsOf(recordingModel, HEARD, 'g')} from given g
        where g.known is null order by g.sid returning id, sid, call)
      select id, sid, call from changed union all select id, sid, call from added`,
)

export const REMOVE_OF_CONVERSATIONS = statement<{ id: number }, { keys: readonly string[] }>(
  'recordings_of_conversations_remove',
  sql`delete from connect_recording where sid in ${listed('keys', 'text')} returning id`,
)
