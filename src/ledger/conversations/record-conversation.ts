import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { lockConversation } from '../calls/find-call.ts'
import {
  ATTACH_CALL,
  CREATE_CALL,
  FAIL_CALL,
  FAILURE_PREFIX,
  FIND_KNOWN,
  KEEP_MEDIA,
  KEEP_RECORDING,
  type Known,
  REVIVE_CALL,
} from './conversation-rows.ts'

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
  transcript: string | undefined
  summary: string | undefined
  /** Why the call did not come about. */
  failure?: { reason: string; detail: string | undefined }
}

/** The call of a conversation, and whether the delivery said anything that was not kept already. */
export interface Recorded {
  callId: number | undefined
  isNew: boolean
}

/**
 * Logs a conversation once: one call, and one recording when there is something to read. Joins the call that telephony
 * has already logged. What was said counts more than that the call could not be started, whichever comes first.
 */
export async function recordConversation(env: Env, facts: ConversationFacts): Promise<Recorded> {
  lockConversation(env.db, facts.key, facts.callSid)
  const known = await findKnown(env, facts)
  if (known.is_told) return { callId: known.call ?? undefined, isNew: false }
  const callId = known.call === null ? await createCall(env, facts) : await attachCall(env, facts, known.call)
  const isReadable = facts.transcript !== undefined || facts.summary !== undefined
  if (known.call !== null && facts.failure !== undefined) await noteFailure(env, facts, { callId, known })
  if (known.has_failed && isReadable) {
    await env.db.run(REVIVE_CALL, { id: callId, status: facts.status, duration: facts.durationSeconds })
  }
  // Audio that came first has made the recording; it learns of its call here even when nothing was said.
  if (isReadable || known.has_recording) await keepRecording(env, facts, callId)
  return { callId, isNew: !known.is_known || isReadable }
}

/** Attaches stored audio to the conversation's recording, making it when it comes first; new unless it had some. */
export async function recordConversationMedia(
  env: Env,
  media: { conversationId: string; reference: string; type: string; filename: string },
): Promise<Recorded> {
  lockConversation(env.db, media.conversationId, undefined)
  const [kept] = await env.db.run(KEEP_MEDIA, {
    sid: media.conversationId,
    media_ref: media.reference,
    media_type: media.type,
    filename: media.filename,
    create_uid: env.identity.userId,
  })
  return { callId: kept?.call ?? undefined, isNew: kept !== undefined }
}

/** Whether the conversation's recording has its audio already. */
export async function hasConversationMedia(env: Env, conversationId: string): Promise<boolean> {
  const rows = await env.db.query(
    sql`select id from connect_recording where sid = ${conversationId} and media_ref is not null`,
  )
  return rows.length > 0
}

async function findKnown(env: Env, { key, callIds, callSid }: ConversationFacts): Promise<Known> {
  const [first, second] = callIds
  const [known] = await env.db.run(FIND_KNOWN, {
    key,
    first_id: first ?? null,
    second_id: second ?? null,
    call_sid: callSid ?? null,
  })
  if (known === undefined) throw new Error('the ledger did not say what it knows of a conversation')
  return known
}

async function createCall(env: Env, facts: ConversationFacts): Promise<number> {
  const [created] = await env.db.run(CREATE_CALL, {
    ...agentSide(facts),
    ...errorOf(facts),
    caller: facts.caller ?? null,
    called: facts.called ?? null,
    direction: facts.direction,
    status: facts.status,
    duration: facts.durationSeconds,
    call_sid: facts.callSid ?? null,
    create_uid: env.identity.userId,
  })
  if (created === undefined) throw new Error('the call was not created')
  return created.id
}

async function attachCall(env: Env, facts: ConversationFacts, id: number): Promise<number> {
  await env.db.run(ATTACH_CALL, { ...agentSide(facts), id })
  return id
}

async function noteFailure(
  env: Env,
  facts: ConversationFacts,
  { callId, known }: { callId: number; known: Known },
): Promise<void> {
  await env.db.run(FAIL_CALL, { ...errorOf(facts), id: callId, is_known: known.is_known })
}

async function keepRecording(env: Env, facts: ConversationFacts, callId: number): Promise<void> {
  await env.db.run(KEEP_RECORDING, {
    sid: facts.key,
    call_sid: facts.callSid ?? facts.key,
    leg: facts.callSid ?? null,
    call: callId,
    duration: facts.durationSeconds,
    transcript: facts.transcript ?? null,
    summary: facts.summary ?? null,
    create_uid: env.identity.userId,
  })
}

function agentSide({ conversationId, key, summary, agentId, partnerId }: ConversationFacts): Record<string, unknown> {
  return {
    conversation: conversationId ?? key,
    summary: summary ?? null,
    agent: agentId ?? null,
    partner: partnerId ?? null,
  }
}

function errorOf({ failure }: ConversationFacts): { error_code: string | null; error_message: string | null } {
  if (failure === undefined) return { error_code: null, error_message: null }
  const detail = failure.detail === undefined ? '' : ` (${failure.detail})`
  return { error_code: failure.reason, error_message: `${FAILURE_PREFIX}${failure.reason}${detail}` }
}
