// Columns of a call that follow from others of its row: whatever is saved, in whatever order, they are right.
import { FAILURE_PREFIX } from './call-words.ts'

/** A conversation was held in the call; one that could not be started says so in the error. */
const TALKED_WITH_AGENT = `(voiceai_conversation_id is not null and conversation_seconds is not null)`
/** A call of which telephony reported nothing: a conversation, or one that was written down by hand. */
const WITHOUT_LEGS = `case
    when ${TALKED_WITH_AGENT} and conversation_failed is not true then 'agent'
    when voiceai_conversation_id is not null or starts_with(error_message, '${FAILURE_PREFIX}') then 'failed'
    when status in ('queued', 'initiated', 'ringing', 'in-progress') then 'in_progress'
    when voicemail_url is not null then 'voicemail'
    when status = 'completed' then 'person'
    when status = 'canceled' then 'given_up'
    when status = 'failed' then 'failed'
    when direction = 'incoming' and status in ('busy', 'no-answer') then 'missed'
    when status = 'busy' then 'busy'
    when status = 'no-answer' then 'no_answer'
  end`

/**
 * A voicemail that was left after everybody had gone counts most (somebody waits to be called back), then a person who
 * answered, then any voicemail, then the agent. A conversation that failed at the platform solved nothing. An agent that a
 * call was registered with has no leg: the call was handed to it, and nothing else was dialled.
 */
export const OUTCOME_OF_ROW = `case
    when legs_outcome is null then ${WITHOUT_LEGS}
    when legs_outcome = 'in_progress' then legs_outcome
    when voicemail_url is not null and voicemail_at >= talked_until then 'voicemail'
    when legs_outcome = 'agent_person' then legs_outcome
    when legs_outcome = 'person' then case when ${TALKED_WITH_AGENT} then 'agent_person' else 'person' end
    when voicemail_url is not null then 'voicemail'
    when conversation_failed and legs_outcome in ('agent', 'ours') then 'failed'
    when legs_outcome = 'agent' or ${TALKED_WITH_AGENT} then 'agent'
    when legs_outcome = 'ours' then case
      when starts_with(error_message, '${FAILURE_PREFIX}') then 'failed'
      when voiceai_agent is not null then 'agent'
      when direction = 'incoming' then 'missed'
      else 'no_answer' end
    else legs_outcome
  end`

/** Whole seconds from the beginning until somebody answered, or until the end when nobody did. */
export const WAIT_OF_ROW = `case when started_at is not null and coalesce(answered_at, ended_at) is not null
    then greatest(0, round(extract(epoch from coalesce(answered_at, ended_at) - started_at)))::int end`
