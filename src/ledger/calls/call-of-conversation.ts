import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { insertSql, type ParamsOf } from '../../platform/model/statements.ts'
import { notifyChangedSql } from '../../platform/records/notify-changed.ts'
import { callModel } from './call.ts'

const NOTIFY_CALL = notifyChangedSql('connect.call', sql`saved.id`)
const NOTIFY_OWN = notifyChangedSql('connect.call', sql`id`)

type CallColumns<Name extends keyof RowOf<typeof callModel>> = ParamsOf<typeof callModel, Name>
const AGENT_SIDE = ['voiceai_conversation_id', 'voiceai_summary', 'voiceai_agent', 'partner'] as const
const SPOKEN = ['conversation_started_at', 'conversation_seconds'] as const
const FAILURE = ['error_code', 'error_message'] as const
const NEW = [
  ...(['caller', 'called', 'direction', 'call_type', 'status', 'duration', 'call_sid', 'create_uid'] as const),
  ...AGENT_SIDE,
  ...SPOKEN,
  ...(['started_at', 'answered_at', 'ended_at'] as const),
  'has_error',
  ...FAILURE,
] as const

export const CREATE_CALL = statement<{ id: number }, CallColumns<(typeof NEW)[number]>>(
  'call_of_conversation_create',
  sql`with saved as (${insertSql(callModel, { columns: NEW, returning: ['id'] })})
      select saved.id, ${NOTIFY_CALL} as notified from saved`,
)

// Only a call that telephony knows nothing of has its state from here.
const HAS_NO_LEGS = sql`not exists (select 1 from connect_channel l where l.call = connect_call.id)`
const BEGAN = sql`${param('conversation_started_at')}::timestamp`

// The telephony side knows caller, status and duration better; the agent's side adds what only it knows.
export const ATTACH_CALL = statement<
  { id: number },
  CallColumns<(typeof AGENT_SIDE | typeof SPOKEN)[number] | 'id' | 'ended_at'>
>(
  'call_of_conversation_attach',
  sql`with saved as (
        update connect_call set
          voiceai_conversation_id = coalesce(voiceai_conversation_id, ${param('voiceai_conversation_id')}::text),
          voiceai_summary = coalesce(voiceai_summary || E'\n\n' || ${param('voiceai_summary')}::text, voiceai_summary, ${param('voiceai_summary')}::text),
          voiceai_agent = coalesce(voiceai_agent, ${param('voiceai_agent')}::bigint),
          partner = coalesce(partner, ${param('partner')}::bigint),
          conversation_started_at = coalesce(conversation_started_at, ${BEGAN}),
          conversation_seconds = coalesce(conversation_seconds, ${param('conversation_seconds')}::int),
          answered_at = least(answered_at, ${BEGAN}),
          started_at = case when ${HAS_NO_LEGS} then coalesce(started_at, ${BEGAN}) else started_at end,
          ended_at = case when ${HAS_NO_LEGS} then coalesce(ended_at, ${param('ended_at')}::timestamp) else ended_at end,
          write_date = now() at time zone 'utc'
        where id = ${param('id')} returning id
      )
      select saved.id, ${NOTIFY_CALL} as notified from saved`,
)

/** Marks a call as one that could not be started; an error that telephony reported stays. */
export const FAIL_CALL = statement<
  { id: number },
  CallColumns<(typeof FAILURE)[number] | 'id'> & { is_known: boolean }
>(
  'call_of_conversation_fail',
  sql`update connect_call set has_error = true,
        error_code = case when error_code is null and error_message is null then ${param('error_code')}::text else error_code end,
        error_message = case when error_code is null and error_message is null then ${param('error_message')}::text else error_message end,
        status = case when ${param('is_known')}::bool and ${HAS_NO_LEGS} then 'failed' else status end,
        duration = case when ${param('is_known')}::bool and ${HAS_NO_LEGS} then 0 else duration end
      where id = ${param('id')} returning id, ${NOTIFY_OWN}`,
)

/** Removes the failure of a call whose conversation took place after all. */
export const REVIVE_CALL = statement<{ id: number }, CallColumns<'id' | 'status' | 'duration'>>(
  'call_of_conversation_revive',
  sql`update connect_call set has_error = false, error_code = null, error_message = null,
        status = case when ${HAS_NO_LEGS} then ${param('status')}::text else status end,
        duration = case when ${HAS_NO_LEGS} then ${param('duration')}::int else duration end
      where id = ${param('id')} returning id, ${NOTIFY_OWN}`,
)
