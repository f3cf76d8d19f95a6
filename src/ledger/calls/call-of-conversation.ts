import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { notifyChangedSql } from '../../platform/records/notify-changed.ts'

/** How the error of a conversation that was never connected begins; a transcript that comes later removes it. */
export const FAILURE_PREFIX = 'The call could not be started: '

const NOTIFY_CALL = notifyChangedSql('connect.call', sql`saved.id`)

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
