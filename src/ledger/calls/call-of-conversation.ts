import { sql } from '../../database/drizzle.ts'
import { statement } from '../../database/statement.ts'
import { type GivenRows, givenRows } from '../../platform/model/given-rows.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { insertMany } from '../../platform/model/statements.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
import { callModel } from './call.ts'

const AGENT_SIDE = ['voiceai_conversation_id', 'voiceai_summary', 'voiceai_agent', 'partner'] as const
const SPOKEN = [
  ...(['conversation_started_at', 'conversation_seconds'] as const),
  ...(['conversation_end', 'conversation_error', 'conversation_result', 'conversation_failed'] as const),
  ...(['ai_announcement', 'nobody_spoke', 'conversation_criteria', 'conversation_data', 'conversation_cost'] as const),
  ...(['conversation_cost_usd', 'conversation_charging', 'conversation_language', 'conversation_tags'] as const),
] as const
const FAILURE = ['error_code', 'error_message'] as const
const NEW = [
  ...(['caller', 'called', 'direction', 'call_type', 'status', 'duration', 'call_sid', 'create_uid'] as const),
  ...AGENT_SIDE,
  ...SPOKEN,
  ...(['started_at', 'answered_at', 'ended_at'] as const),
  'has_error',
  ...FAILURE,
] as const

type CallColumns<Name extends keyof RowOf<typeof callModel>> = RowOf<typeof callModel, Name>
/** A call of which telephony knows nothing. */
export type CallOfConversation = CallColumns<(typeof NEW)[number]>

export const CREATE_CALLS = insertMany(callModel, {
  name: 'calls_of_conversations_create',
  columns: NEW,
  returning: ['id', 'voiceai_conversation_id'],
})

// Only a call that telephony knows nothing of has its state from here.
const HAS_NO_LEGS = sql`not exists (select 1 from connect_channel l where l.call = c.id)`

const ATTACHED = [...AGENT_SIDE, ...SPOKEN, 'ended_at'] as const
/** What a conversation adds to a call that is there. */
export type AttachedCall = CallColumns<(typeof ATTACHED)[number] | 'id'>

// The telephony side knows caller, status and duration better; the agent's side adds what only it knows.
export const ATTACH_CALLS = statement<never, GivenRows>(
  'calls_of_conversations_attach',
  sql`update connect_call c set
        voiceai_conversation_id = coalesce(c.voiceai_conversation_id, r.voiceai_conversation_id),
        voiceai_summary = coalesce(c.voiceai_summary || E'\n\n' || r.voiceai_summary, c.voiceai_summary, r.voiceai_summary),
        voiceai_agent = coalesce(c.voiceai_agent, r.voiceai_agent),
        partner = coalesce(c.partner, r.partner),
        conversation_started_at = coalesce(c.conversation_started_at, r.conversation_started_at),
        conversation_seconds = coalesce(c.conversation_seconds, r.conversation_seconds),
        conversation_end = coalesce(c.conversation_end, r.conversation_end),
        conversation_error = coalesce(c.conversation_error, r.conversation_error),
        conversation_result = coalesce(c.conversation_result, r.conversation_result),
        conversation_failed = c.conversation_failed or r.conversation_failed,
        ai_announcement = coalesce(c.ai_announcement, r.ai_announcement),
        nobody_spoke = coalesce(c.nobody_spoke, r.nobody_spoke),
        conversation_criteria = coalesce(c.conversation_criteria, r.conversation_criteria),
        conversation_data = coalesce(c.conversation_data, r.conversation_data),
        conversation_cost = coalesce(c.conversation_cost, r.conversation_cost),
        conversation_cost_usd = coalesce(c.conversation_cost_usd, r.conversation_cost_usd),
        conversation_charging = coalesce(c.conversation_charging, r.conversation_charging),
        conversation_language = coalesce(c.conversation_language, r.conversation_language),
        conversation_tags = coalesce(c.conversation_tags, r.conversation_tags),
        has_error = coalesce(c.has_error, false) or coalesce(r.conversation_failed, false),
        answered_at = least(c.answered_at, r.conversation_started_at),
        started_at = case when ${HAS_NO_LEGS} then coalesce(c.started_at, r.conversation_started_at) else c.started_at end,
        ended_at = case when ${HAS_NO_LEGS} then coalesce(c.ended_at, r.ended_at) else c.ended_at end,
        ${writtenBy(null)}
      from ${givenRows(callModel, ATTACHED, { id: 'bigint' })} where c.id = r.id`,
)

/** A call that could not be started, and why. */
export type FailedCall = CallColumns<(typeof FAILURE)[number] | 'id'> & { is_known: boolean }

/** Marks calls as ones that could not be started; an error that telephony reported stays. */
export const FAIL_CALLS = statement<never, GivenRows>(
  'calls_of_conversations_fail',
  sql`update connect_call c set has_error = true,
        error_code = case when c.error_code is null and c.error_message is null then r.error_code else c.error_code end,
        error_message = case when c.error_code is null and c.error_message is null then r.error_message else c.error_message end,
        status = case when r.is_known and ${HAS_NO_LEGS} then 'failed' else c.status end,
        duration = case when r.is_known and ${HAS_NO_LEGS} then 0 else c.duration end,
        ${writtenBy(null)}
      from ${givenRows(callModel, FAILURE, { id: 'bigint', is_known: 'bool' })} where c.id = r.id`,
)

/** A call whose conversation took place after all. */
export type RevivedCall = CallColumns<'id' | 'status' | 'duration'>

/** Removes the failures of calls whose conversations took place after all. */
export const REVIVE_CALLS = statement<never, GivenRows>(
  'calls_of_conversations_revive',
  sql`update connect_call c set has_error = false, error_code = null, error_message = null,
        status = case when ${HAS_NO_LEGS} then r.status else c.status end,
        duration = case when ${HAS_NO_LEGS} then r.duration else c.duration end,
        ${writtenBy(null)}
      from ${givenRows(callModel, ['status', 'duration'], { id: 'bigint' })} where c.id = r.id`,
)
