import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { storedTime } from '../../time.ts'
import { ATTACH_CALL, CREATE_CALL, FAIL_CALL, REVIVE_CALL } from '../calls/call-of-conversation.ts'
import { FAILURE_PREFIX } from '../calls/call-words.ts'
import { lockConversations } from '../calls/lock-ledger.ts'
import { UPSERT_MEDIA, UPSERT_RECORDING } from '../recordings/recording-of-conversation.ts'

const MS_PER_SECOND = 1_000

/** What a voice agent's platform says of a conversation, whichever of its deliveries said it. */
export interface ConversationFacts {
  /** The conversation's id, or the call's where there is none. */
  key: string
  conversationId: string | undefined
  callSid: string | undefined
  /** Ids of our call that came back with the conversation, the surest first. */
  callIds: readonly number[]
  agentId: number | undefined
  partnerId: number | undefined
  caller: string | undefined
  called: string | undefined
  direction: 'incoming' | 'outgoing'
  status: 'completed' | 'failed'
  durationSeconds: number
  /** When the conversation began, in milliseconds; undefined where the platform did not say. */
  startedAtMs?: number | undefined
  terminationReason?: string | undefined
  /** What was said and when, and with which tools. */
  turns?: readonly object[] | undefined
  transcript: string | undefined
  summary: string | undefined
  /** Why the call did not come about. */
  failure?: { reason: string; detail: string | undefined }
}

/** The call of a conversation, and whether the delivery said anything that was not stored already. */
export interface RecordedConversation {
  callId: number | undefined
  isNew: boolean
}

/** What the ledger has of a conversation, and of the call it belongs to. */
interface Known {
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
const FIND_KNOWN = statement<
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

/**
 * Logs each conversation once: one call, and one recording when there is something to read. Joins the call that telephony
 * has already logged. What was said counts more than that the call could not be started, whichever comes first. Answers
 * for each, in the order given.
 */
export async function recordConversations(
  env: Env,
  conversations: readonly ConversationFacts[],
): Promise<RecordedConversation[]> {
  lockConversations(env.db, conversations)
  const recorded: RecordedConversation[] = []
  for (const facts of conversations) recorded.push(await recordConversation(env, facts))
  return recorded
}

async function recordConversation(env: Env, facts: ConversationFacts): Promise<RecordedConversation> {
  const known = await findKnown(env, facts)
  if (known.is_recorded) return { callId: known.call ?? undefined, isNew: false }
  const callId = known.call === null ? await createCall(env, facts) : await attachCall(env, facts, known.call)
  const isReadable = facts.transcript !== undefined || facts.summary !== undefined
  if (known.call !== null && facts.failure !== undefined) {
    await env.db.run(FAIL_CALL, { ...errorOf(facts), id: callId, is_known: known.is_known })
  }
  if (known.has_failed && isReadable) {
    await env.db.run(REVIVE_CALL, { id: callId, status: facts.status, duration: facts.durationSeconds })
  }
  // Audio that came first has made the recording; it learns of its call here even when nothing was said.
  if (isReadable || known.has_recording) await upsertRecording(env, facts, callId)
  return { callId, isNew: !known.is_known || isReadable }
}

/** Audio of a conversation, in the media store. */
interface ConversationMedia {
  conversationId: string
  reference: string
  type: string
  filename: string
}

/** Attaches stored audio to the recordings of conversations, making those that are not there; new unless one had some. */
export async function recordConversationMedia(
  env: Env,
  deliveries: readonly ConversationMedia[],
): Promise<RecordedConversation[]> {
  const keys = deliveries.map(({ conversationId: key }) => ({ key }))
  lockConversations(env.db, keys)
  const recorded: RecordedConversation[] = []
  for (const { conversationId, reference, type, filename } of deliveries) {
    const media = { sid: conversationId, media_ref: reference, media_type: type, recording_filename: filename }
    const [row] = await env.db.run(UPSERT_MEDIA, { ...media, create_uid: env.identity.userId })
    recorded.push({ callId: row?.call ?? undefined, isNew: row !== undefined })
  }
  return recorded
}

/** Whether the conversation's recording has its audio already. */
export async function hasConversationMedia(env: Env, conversationId: string): Promise<boolean> {
  const rows = await env.db.query(
    sql`select id from connect_recording where sid = ${conversationId} and media_ref is not null`,
  )
  return rows.length > 0
}

async function findKnown(env: Env, { key, callIds, callSid }: ConversationFacts): Promise<Known> {
  const [first = null, second = null] = callIds
  const given = { key, first_id: first, second_id: second, call_sid: callSid ?? null }
  const [known] = await env.db.run(FIND_KNOWN, given)
  if (known === undefined) throw new Error('the ledger did not say what it knows of a conversation')
  return known
}

async function createCall(env: Env, facts: ConversationFacts): Promise<number> {
  const [created] = await env.db.run(CREATE_CALL, {
    ...agentSide(facts),
    ...errorOf(facts),
    ...callTimes(facts),
    caller: facts.caller ?? null,
    called: facts.called ?? null,
    direction: facts.direction,
    call_type: 'phone',
    status: facts.status,
    duration: facts.durationSeconds,
    call_sid: facts.callSid ?? null,
    has_error: facts.failure !== undefined,
    create_uid: env.identity.userId,
  })
  if (created === undefined) throw new Error('the call was not created')
  return created.id
}

async function attachCall(env: Env, facts: ConversationFacts, id: number): Promise<number> {
  await env.db.run(ATTACH_CALL, { ...agentSide(facts), ...spokenOf(facts), id })
  return id
}

async function upsertRecording(env: Env, facts: ConversationFacts, callId: number): Promise<void> {
  await env.db.run(UPSERT_RECORDING, {
    sid: facts.key,
    call_sid: facts.callSid ?? facts.key,
    leg: facts.callSid ?? null,
    call: callId,
    duration: facts.durationSeconds,
    voiceai_transcript: facts.transcript ?? null,
    voiceai_summary: facts.summary ?? null,
    turns: facts.turns === undefined ? null : JSON.stringify(facts.turns),
    conversation_started_at: timeOf(facts.startedAtMs),
    termination_reason: facts.terminationReason ?? null,
    create_uid: env.identity.userId,
  })
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
function spokenOf({ failure, startedAtMs, durationSeconds }: ConversationFacts) {
  const began = failure === undefined ? startedAtMs : undefined
  return {
    conversation_started_at: timeOf(began),
    conversation_seconds: failure === undefined ? durationSeconds : null,
    ended_at: timeOf(began === undefined ? undefined : began + durationSeconds * MS_PER_SECOND),
  }
}

/** The times of a call of which telephony knows nothing. */
function callTimes(facts: ConversationFacts) {
  const spoken = spokenOf(facts)
  return { ...spoken, started_at: spoken.conversation_started_at, answered_at: spoken.conversation_started_at }
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : storedTime(new Date(ms))
}

function errorOf({ failure }: ConversationFacts): { error_code: string | null; error_message: string | null } {
  if (failure === undefined) return { error_code: null, error_message: null }
  const detail = failure.detail === undefined ? '' : ` (${failure.detail})`
  return { error_code: failure.reason, error_message: `${FAILURE_PREFIX}${failure.reason}${detail}` }
}
