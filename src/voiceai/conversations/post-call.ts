import { Readable } from 'node:stream'
import { findContactByNumber } from '../../contacts/find-by-number.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Consumed, Consumer } from '../../deliveries/inbox/consume.ts'
import { parseJson } from '../../json.ts'
import {
  type ConversationFacts,
  hasConversationMedia,
  type RecordedConversation,
  recordConversationMedia,
  recordConversations,
} from '../../ledger/conversations/record-conversation.ts'
import { removeMediaLater } from '../../ledger/recordings/media-removal.ts'
import type { MediaStore } from '../../ledger/recordings/media-store.ts'
import { toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Conversation, type Failure, type PostCall, readPostCall } from './post-call-payload.ts'

/** Kinds under which post-call deliveries are kept in the inbox. */
export const POST_CALL = 'voiceai.post_call'
/** What was read of a large delivery, instead of all that it said. */
export const POST_CALL_READ = 'voiceai.post_call_read'
export const POST_CALL_AUDIO = 'voiceai.post_call_audio'
/** Audio that the media store had no room for, as it came. */
export const POST_CALL_WHOLE_AUDIO = 'voiceai.post_call_whole_audio'

const AUDIO_TYPE = 'audio/mpeg'

const FIND_AGENT = statement<{ id: number }, { uid: string }>(
  'agent_by_uid',
  sql`select id from connect_voiceai_agent where agent_uid = ${param('uid')} order by id limit 1`,
)

/** Works on a stored post-call delivery: transcripts and failures become calls, unknown types are left alone. */
const consumePostCall: Consumer = (env, { payload }) => recordPostCall(env, readPostCall(parseJson(payload)))

/** Works on what was read of a large delivery before it was stored. */
const consumeReadPostCall: Consumer = (env, { payload }) => recordPostCall(env, JSON.parse(payload) as PostCall)

async function recordPostCall(env: Env, postCall: PostCall | undefined): Promise<Consumed> {
  switch (postCall?.kind) {
    case 'transcript':
      return recordTranscript(env, postCall.conversation)
    case 'failure':
      return recordFailure(env, postCall.failure)
    default:
      return 'ignored'
  }
}

/** Works on a stored audio delivery, whose sound is in the media store already. */
const consumePostCallAudio: Consumer = async (env, { conversation, mediaRef }) => {
  if (conversation === undefined || mediaRef === undefined) return 'ignored'
  const filename = `${conversation.replaceAll(/[^\w-]/g, '_')}.mp3`
  const media = { conversationId: conversation, reference: mediaRef, type: AUDIO_TYPE, filename }
  const [recorded] = await recordConversationMedia(env, [media])
  // A repeat: the conversation has its audio already, from another file unless this one is replayed.
  if (recorded?.isNew !== true) await removeMediaLater(env, mediaRef)
  return toConsumed([recorded])
}

/** Works on an audio delivery that is kept as it came: its sound goes to the media store, when that has room again. */
function consumeWholeAudio(media: Pick<MediaStore, 'store'>): Consumer {
  return async (env, delivery) => {
    const postCall = readPostCall(parseJson(delivery.payload))
    if (postCall?.kind !== 'audio' || postCall.conversationId === undefined) return 'ignored'
    if (await hasConversationMedia(env, postCall.conversationId)) return 'ignored'
    const sound = Buffer.from(postCall.audio ?? '', 'base64')
    const mediaRef = await media.store(Readable.from([sound]), 'mp3')
    return consumePostCallAudio(env, { ...delivery, conversation: postCall.conversationId, mediaRef })
  }
}

/** What works on post-call deliveries once they are stored. */
export function postCallConsumers({ media }: { media: Pick<MediaStore, 'store'> }): Record<string, Consumer> {
  return {
    [POST_CALL]: consumePostCall,
    [POST_CALL_READ]: consumeReadPostCall,
    [POST_CALL_AUDIO]: consumePostCallAudio,
    [POST_CALL_WHOLE_AUDIO]: consumeWholeAudio(media),
  }
}

function recordTranscript(env: Env, conversation: Conversation): Promise<Consumed> {
  const { conversationId, callSid, externalNumber, agentNumber, isOutbound } = conversation
  if (conversationId === undefined && callSid === undefined) {
    env.platform.log.warn('a transcript names neither a conversation nor a call and cannot be logged')
  }
  const [caller, called] = isOutbound ? [agentNumber, externalNumber] : [externalNumber, agentNumber]
  const direction = isOutbound ? 'outgoing' : 'incoming'
  const status = conversation.isSuccessful ? 'completed' : 'failed'
  return recordSaid(env, { ...conversation, caller, called, direction, status })
}

function recordFailure(env: Env, failure: Failure): Promise<Consumed> {
  const { conversationId, agentUid, callSid, from: caller, to: called } = failure
  const nothing = { callIds: [], durationSeconds: 0, transcript: undefined, summary: undefined }
  const call = { caller, called, direction: 'outgoing', status: 'failed', externalNumber: called } as const
  return recordSaid(env, { conversationId, agentUid, callSid, ...call, ...nothing, failure })
}

/** What a delivery says, without what the ledger makes of it. */
type Said = Omit<ConversationFacts, 'key' | 'agentId' | 'partnerId'> & Pick<Conversation, 'agentUid' | 'externalNumber'>

async function recordSaid(env: Env, said: Said): Promise<Consumed> {
  const key = said.conversationId ?? said.callSid
  if (key === undefined) return 'ignored'
  const { country } = env.settings
  const contact = await findContactByNumber(env.db, said.externalNumber, country)
  const [caller, called] = [said.caller, said.called].map((number) => toE164(number, country) ?? number)
  const agentId = await findAgent(env, said.agentUid)
  return toConsumed(await recordConversations(env, [{ ...said, key, agentId, partnerId: contact?.id, caller, called }]))
}

function toConsumed([recorded]: readonly (RecordedConversation | undefined)[]): Consumed {
  return { state: recorded?.isNew === true ? 'done' : 'ignored', call: recorded?.callId }
}

async function findAgent(env: Env, uid: string | undefined): Promise<number | undefined> {
  if (uid === undefined) return undefined
  const [agent] = await env.db.run(FIND_AGENT, { uid })
  return agent?.id
}
