import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { FAILURE_PREFIX } from '../calls/call-of-conversation.ts'

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
