import { sql } from '../../database/drizzle.ts'
import { limitOfRows } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { storedTimeOf } from '../../time.ts'
import {
  ATTACH_CALLS,
  type AttachedCall,
  type CallOfConversation,
  CREATE_CALLS,
  FAIL_CALLS,
  type FailedCall,
  REVIVE_CALLS,
  type RevivedCall,
} from '../calls/call-of-conversation.ts'
import { FAILURE_PREFIX } from '../calls/call-words.ts'
import type { SpokenRow } from '../recordings/recording-of-conversation.ts'
import type { ConversationAnalysis, ConversationFacts, NamedConversation } from './conversation-facts.ts'

const MS_PER_SECOND = 1_000

/** What the ledger has of a conversation, and of the call it belongs to. */
export interface KnownConversation {
  /** The call: that of the conversation, else the one telephony logged. */
  readonly call: number | null
  /** Whether the conversation has its call already. */
  readonly is_known: boolean
  /** Whether what was said is stored already. */
  readonly is_recorded: boolean
  /** Whether the call was reported as one that could not be started. */
  readonly has_failed: boolean
  readonly has_recording: boolean
  /** Whether the person of the call was erased: it gets facts from then on, and no words. */
  readonly is_erased: boolean
}

interface Wanted {
  keys: readonly string[]
  first_ids: readonly (number | null)[]
  second_ids: readonly (number | null)[]
  call_sids: readonly (string | null)[]
}

// The surest way to telephony's call comes first (docs/reference/domain.md#call-of-a-conversation).
const FIND_KNOWN = statement<KnownConversation & { at: number }, Wanted>(
  'conversations_known',
  sql`select found.*, coalesce((select k.erased_at is not null from connect_call k where k.id = found.call), false) as is_erased
      from (select given.at::int as at, coalesce(c.id, r.call,
        (select k.id from connect_call k where k.id = given.first_id),
        (select k.id from connect_call k where k.id = given.second_id),
        (select k.call from connect_channel k where k.sid = given.call_sid)) as call,
        c.id is not null as is_known,
        coalesce(r.voiceai_transcript, r.voiceai_summary, c.voiceai_summary) is not null as is_recorded,
        coalesce(starts_with(c.error_message, ${sql.raw(`'${FAILURE_PREFIX}'`)}), false) as has_failed,
        r.id is not null as has_recording
      from (select * from unnest(${param('keys')}::text[], ${param('first_ids')}::bigint[], ${param('second_ids')}::bigint[],
        ${param('call_sids')}::text[]) with ordinality ${limitOfRows()}) as given (key, first_id, second_id, call_sid, at)
      left join lateral (select k.id, k.voiceai_summary, k.error_message from connect_call k
        where k.voiceai_conversation_id = given.key limit 1) c on true
      left join lateral (select k.id, k.call, k.voiceai_transcript, k.voiceai_summary from connect_recording k
        where k.sid = given.key limit 1) r on true) as found`,
)

/** What the ledger has of each conversation, in their order. */
export async function findKnownConversations(
  { db }: Env,
  conversations: readonly NamedConversation[],
): Promise<readonly KnownConversation[]> {
  const rows = await db.run(FIND_KNOWN, {
    keys: conversations.map(({ key }) => key),
    first_ids: conversations.map(({ callIds }) => callIds[0] ?? null),
    second_ids: conversations.map(({ callIds }) => callIds[1] ?? null),
    call_sids: conversations.map(({ callSid }) => callSid ?? null),
  })
  return rows.toSorted((a, b) => a.at - b.at)
}

/** Makes the calls of conversations of which telephony knows nothing; answers by the key of each. */
export async function createCalls(env: Env, conversations: readonly ConversationFacts[]): Promise<Map<string, number>> {
  if (conversations.length === 0) return new Map()
  const rows = conversations.map((facts) => newCall(env, facts))
  const created = await env.db.run(CREATE_CALLS, { rows })
  const calls = new Map(created.map(({ id, voiceai_conversation_id: key }) => [key ?? '', id]))
  if (calls.size < conversations.length) throw new Error('a call was not created')
  return calls
}

/** Adds what conversations say to the calls that are there. Calls in the order of their ids, so that nobody waits in a circle. */
export function changeCalls(
  { db }: Env,
  conversations: readonly { facts: ConversationFacts; known: KnownConversation }[],
): void {
  const attached: AttachedCall[] = []
  const failed: FailedCall[] = []
  const revived: RevivedCall[] = []
  const ofCalls = conversations.flatMap(({ facts, known }) =>
    known.call === null ? [] : [{ facts, known, id: known.call }],
  )
  for (const { facts, known, id } of ofCalls.toSorted((a, b) => a.id - b.id)) {
    attached.push({ ...agentSide(facts), ...spokenOf(facts), id })
    if (facts.failure !== undefined) failed.push({ ...errorOf(facts), id, is_known: known.is_known })
    const isReadable = facts.transcript !== undefined || facts.summary !== undefined
    if (known.has_failed && isReadable) revived.push({ id, status: facts.status, duration: facts.durationSeconds })
  }
  if (attached.length > 0) db.send(ATTACH_CALLS, { rows: attached })
  if (failed.length > 0) db.send(FAIL_CALLS, { rows: failed })
  if (revived.length > 0) db.send(REVIVE_CALLS, { rows: revived })
}

function newCall({ identity }: Env, facts: ConversationFacts): CallOfConversation {
  return {
    ...agentSide(facts),
    ...errorOf(facts),
    ...callTimes(facts),
    caller: facts.caller ?? null,
    called: facts.called ?? null,
    direction: facts.direction,
    call_type: facts.callType,
    status: facts.status,
    duration: facts.durationSeconds,
    call_sid: facts.callSid ?? null,
    has_error: facts.failure !== undefined || facts.hasFailed === true,
    create_uid: identity.userId,
  }
}

/** What was said, for the recording of the call. */
export function spokenRow({ identity }: Env, facts: ConversationFacts, callId: number): SpokenRow {
  return {
    sid: facts.key,
    call_sid: facts.callSid ?? facts.key,
    leg: facts.callSid ?? null,
    call: callId,
    duration: facts.durationSeconds,
    voiceai_transcript: facts.transcript ?? null,
    voiceai_summary: facts.summary ?? null,
    turns: facts.turns ?? null,
    conversation_started_at: storedTimeOf(facts.startedAtMs),
    termination_reason: facts.terminationReason ?? null,
    create_uid: identity.userId,
  }
}

function agentSide({ conversationId, key, summary, agentId, partnerId }: ConversationFacts) {
  return {
    voiceai_conversation_id: conversationId ?? key,
    voiceai_summary: summary ?? null,
    voiceai_agent: agentId ?? null,
    partner: partnerId ?? null,
  }
}

/** When a conversation was held; nothing of one that could not be started. */
function spokenOf(facts: ConversationFacts) {
  const { failure, startedAtMs, durationSeconds } = facts
  const began = failure === undefined ? startedAtMs : undefined
  return {
    conversation_started_at: storedTimeOf(began),
    conversation_seconds: failure === undefined ? durationSeconds : null,
    conversation_end: facts.terminationReason ?? null,
    conversation_error: facts.error ?? null,
    conversation_result: facts.result ?? null,
    conversation_failed: facts.hasFailed === true ? true : null,
    ai_announcement: facts.announcement ?? null,
    nobody_spoke: facts.isSilent ?? null,
    ...analysed(facts.analysis),
    ended_at: storedTimeOf(began === undefined ? undefined : began + durationSeconds * MS_PER_SECOND),
  }
}

/** What the platform found out about a conversation. */
function analysed(analysis: ConversationAnalysis = {}) {
  return {
    conversation_criteria: analysis.criteria ?? null,
    conversation_data: analysis.collected ?? null,
    conversation_cost: analysis.costCredits ?? null,
    conversation_cost_usd: analysis.costDollars ?? null,
    conversation_charging: analysis.charging ?? null,
    conversation_language: analysis.language ?? null,
    conversation_tags: analysis.tags ?? null,
  }
}

/** The times of a call of which telephony knows nothing. */
function callTimes(facts: ConversationFacts) {
  const spoken = spokenOf(facts)
  return { ...spoken, started_at: spoken.conversation_started_at, answered_at: spoken.conversation_started_at }
}

function errorOf({ failure }: ConversationFacts): { error_code: string | null; error_message: string | null } {
  if (failure === undefined) return { error_code: null, error_message: null }
  const detail = failure.detail === undefined ? '' : ` (${failure.detail})`
  return { error_code: failure.reason, error_message: `${FAILURE_PREFIX}${failure.reason}${detail}` }
}
