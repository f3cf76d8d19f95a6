import { Readable } from 'node:stream'
import { findContactsByNumbers } from '../../contacts/find-by-number.ts'
import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { statement } from '../../database/statement.ts'
import { type Consumed, type Consumer, oneByOne } from '../../deliveries/inbox/consume.ts'
import type { StoredDelivery } from '../../deliveries/inbox/stored-delivery.ts'
import { isTrialToken } from '../../deliveries/tools/trial-token.ts'
import { parseJson } from '../../json.ts'
import type { ConversationFacts } from '../../ledger/conversations/conversation-facts.ts'
import {
  hasConversationMedia,
  type RecordedConversation,
  recordConversationMedia,
  recordConversations,
} from '../../ledger/conversations/record-conversation.ts'
import { removeMediaLater } from '../../ledger/recordings/media-removal.ts'
import { toContactKey } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import { saveQuestions, type UnansweredIn } from '../knowledge/save-questions.ts'
import { type Conversation, type Failure, type PostCall, readPostCall } from './post-call-payload.ts'

/** Kinds under which post-call deliveries are kept in the inbox. */
export const POST_CALL = 'voiceai.post_call'
/** What was read of a large delivery, instead of all that it said. */
export const POST_CALL_READ = 'voiceai.post_call_read'
export const POST_CALL_AUDIO = 'voiceai.post_call_audio'
/** Audio that the media store had no room for, as it came. */
export const POST_CALL_WHOLE_AUDIO = 'voiceai.post_call_whole_audio'

const AUDIO_TYPE = 'audio/mpeg'

const FIND_AGENTS = statement<{ id: number; uid: string }, { uids: readonly string[] }>(
  'agents_by_uid',
  sql`select min(id) as id, agent_uid as uid from connect_voiceai_agent where agent_uid in ${listed('uids', 'text')}
      group by agent_uid`,
)

/** Works on stored post-call deliveries: transcripts and failures become calls, unknown types are left alone. */
const postCallConsumer: Consumer = {
  gathers: true,
  consume: (env, deliveries) =>
    recordPostCalls(
      env,
      // What the same payload was read as a moment ago is of its kind.
      deliveries.map(({ payload, read }) => (read as PostCall | undefined) ?? readPostCall(parseJson(payload))),
    ),
}

/** Works on what was read of large deliveries before they were stored. */
const readPostCallConsumer: Consumer = {
  gathers: true,
  consume: (env, deliveries) =>
    recordPostCalls(
      env,
      deliveries.map(({ payload }) => JSON.parse(payload) as PostCall),
    ),
}

/** Works on a stored audio delivery, whose sound is in the media store already. */
async function consumeAudio(env: Env, { conversation, mediaRef }: StoredDelivery): Promise<Consumed> {
  if (conversation === undefined || mediaRef === undefined) return 'ignored'
  const filename = `${conversation.replaceAll(/[^\w-]/g, '_')}.mp3`
  const media = { conversationId: conversation, reference: mediaRef, type: AUDIO_TYPE, filename }
  const [recorded] = await recordConversationMedia(env, [media])
  // A repeat: the conversation has its audio already, from another file unless this one is replayed.
  if (recorded?.isNew !== true) await removeMediaLater(env, mediaRef)
  return toConsumed(recorded)
}

/** Works on an audio delivery that is kept as it came: its sound goes to the media store, when that has room again. */
function wholeAudioConsumer(media: Pick<MediaStore, 'store'>): Consumer {
  return oneByOne(async (env, delivery) => {
    const postCall = readPostCall(parseJson(delivery.payload))
    if (postCall?.kind !== 'audio' || postCall.conversationId === undefined) return 'ignored'
    if (await hasConversationMedia(env, postCall.conversationId)) return 'ignored'
    const sound = Buffer.from(postCall.audio ?? '', 'base64')
    const mediaRef = await media.store(Readable.from([sound]), 'mp3')
    return consumeAudio(env, { ...delivery, conversation: postCall.conversationId, mediaRef })
  })
}

/** What works on post-call deliveries once they are stored. */
export function postCallConsumers({ media }: { media: Pick<MediaStore, 'store'> }): Record<string, Consumer> {
  return {
    [POST_CALL]: postCallConsumer,
    [POST_CALL_READ]: readPostCallConsumer,
    [POST_CALL_AUDIO]: oneByOne(consumeAudio),
    [POST_CALL_WHOLE_AUDIO]: wholeAudioConsumer(media),
  }
}

async function recordPostCalls(env: Env, postCalls: readonly (PostCall | undefined)[]): Promise<Consumed[]> {
  const said = postCalls.map((postCall) => saidIn(env, postCall))
  const named = said.flatMap((each) => each ?? [])
  const recorded = await recordSaid(env, named)
  await saveQuestions(
    env,
    recorded.flatMap((each, at) => unansweredIn(each, named[at]) ?? []),
  )
  const results = recorded.values()
  return said.map((each) => (each === undefined ? 'ignored' : toConsumed(results.next().value)))
}

/** What its agent could not answer; undefined for a repeat, and for a conversation without such a question. */
function unansweredIn(
  { isNew, callId }: RecordedConversation,
  said: (Said & { key: string }) | undefined,
): UnansweredIn | undefined {
  if (!isNew || callId === undefined || said?.gaps === undefined || said.agentUid === undefined) return undefined
  return { agentUid: said.agentUid, call: callId, conversation: said.key, gaps: said.gaps }
}

/** What a delivery says of a conversation; undefined for what is left alone. */
function saidIn(env: Env, postCall: PostCall | undefined): (Said & { key: string }) | undefined {
  const said = postCall?.kind === 'transcript' ? transcriptOf(env, postCall.conversation) : undefined
  if (postCall?.kind === 'transcript' && isTrial(env, postCall.conversation)) return undefined
  const all = postCall?.kind === 'failure' ? failureOf(postCall.failure) : said
  const key = all?.conversationId ?? all?.callSid
  return all === undefined || key === undefined ? undefined : { ...all, key }
}

/** A trial was no call. Only this service signs what names one, so no caller makes their call look like it. */
function isTrial({ platform }: Env, { trialToken: token }: Conversation): boolean {
  return token !== undefined && isTrialToken(platform.cipher, token)
}

function transcriptOf(env: Env, conversation: Conversation): Said {
  const { conversationId, callSid, externalNumber, agentNumber, isOutbound } = conversation
  if (conversationId === undefined && callSid === undefined) {
    env.platform.log.warn('a transcript names neither a conversation nor a call and cannot be logged')
  }
  const [caller, called] = isOutbound ? [agentNumber, externalNumber] : [externalNumber, agentNumber]
  const direction = isOutbound ? 'outgoing' : 'incoming'
  const status = conversation.isSuccessful ? 'completed' : 'failed'
  const callType = conversation.isWhatsApp === true ? 'whatsapp' : 'phone'
  return { ...conversation, caller, called, direction, status, callType }
}

function failureOf(failure: Failure): Said {
  const { conversationId, agentUid, callSid, from: caller, to: called } = failure
  const nothing = { callIds: [], durationSeconds: 0, transcript: undefined, summary: undefined }
  const call = {
    caller,
    called,
    direction: 'outgoing',
    status: 'failed',
    callType: failure.isWhatsApp === true ? 'whatsapp' : 'phone',
    externalNumber: called,
  } as const
  return { conversationId, agentUid, callSid, ...call, ...nothing, failure }
}

/** What a delivery says, without what the ledger makes of it. */
type Said = Omit<ConversationFacts, 'key' | 'agentId' | 'partnerId'> &
  Pick<Conversation, 'agentUid' | 'externalNumber' | 'externalUserId' | 'gaps'>

async function recordSaid(env: Env, said: readonly (Said & { key: string })[]): Promise<RecordedConversation[]> {
  if (said.length === 0) return []
  const { country } = env.settings
  const numbers = new Set(
    said.flatMap(({ externalNumber, externalUserId }) => [externalNumber ?? [], externalUserId ?? []].flat()),
  )
  return recordConversations(env, said, async () => {
    const [contacts, agents] = await Promise.all([
      findContactsByNumbers(env.db, [...numbers], country),
      findAgents(env, new Set(said.flatMap(({ agentUid }) => agentUid ?? []))),
    ])
    return said.map(({ externalNumber = '', externalUserId = '', agentUid = '', gaps: _gaps, ...each }) => {
      const [caller, called] = [each.caller, each.called].map((number) => toContactKey(number, country) ?? number)
      return {
        ...each,
        agentId: agents.get(agentUid),
        partnerId: contacts.get(externalNumber) ?? contacts.get(externalUserId),
        caller,
        called,
      }
    })
  })
}

function toConsumed(recorded: RecordedConversation | undefined): Consumed {
  return { state: recorded?.isNew === true ? 'done' : 'ignored', call: recorded?.callId }
}

async function findAgents(env: Env, uids: ReadonlySet<string>): Promise<Map<string, number>> {
  if (uids.size === 0) return new Map()
  const agents = await env.db.run(FIND_AGENTS, { uids: [...uids] })
  return new Map(agents.map(({ id, uid }) => [uid, id]))
}
