import { readFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { StoredDelivery } from '../../deliveries/inbox/stored-delivery.ts'
import type { IncomingRequest, SpooledBody } from '../../deliveries/webhooks/webhook-table.ts'
import { isDiskTrouble } from '../../disk-room.ts'
import { Refusal } from '../../errors.ts'
import { parseJson } from '../../json.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import { POST_CALL, POST_CALL_AUDIO, POST_CALL_READ, POST_CALL_WHOLE_AUDIO } from './post-call.ts'
import { type ConversationAudio, extractAudio } from './post-call-audio.ts'
import { type PostCall, readPostCall } from './post-call-payload.ts'
import { type LargePostCalls, LOOP_BYTES_MAX } from './read-large-post-call.ts'

/** A delivery without audio that is larger than this is no transcript; nothing else is read into memory whole. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024

interface Stores {
  media: MediaStore
  large: LargePostCalls
  /** Whether the audio of a conversation is stored already, so that a repeated delivery leaves no second copy. */
  hasAudio(conversationId: string): Promise<boolean>
}

/**
 * What of a delivery goes into the inbox, its audio stored beforehand; undefined when there is nothing in it that could
 * ever be processed. A spooled body is gone from the disk afterwards.
 */
export async function toStoredDelivery(
  stores: Stores,
  { body, spooled, subject }: IncomingRequest,
): Promise<StoredDelivery | undefined> {
  return spooled === undefined ? fromText(stores, body, subject) : fromFile(stores, spooled, subject)
}

async function fromFile(
  stores: Stores,
  { file, bytes }: SpooledBody,
  subject: IncomingRequest['subject'],
): Promise<StoredDelivery | undefined> {
  try {
    const audio = await extractAudio(stores.media, file).catch((error: unknown) => {
      // It may still fit into the inbox as it came.
      if (isDiskTrouble(error) && bytes <= TEXT_BYTES_MAX) return undefined
      throw error
    })
    if (audio !== undefined) return await fromAudio(stores, audio, subject)
    if (bytes > TEXT_BYTES_MAX) throw new Refusal('too-large', 'api-delivery-bytes-without-audio-too-large', { bytes })
    return await fromLarge(stores, { given: { file }, whole: () => readFile(file), subject })
  } finally {
    await rm(file, { force: true })
  }
}

async function fromAudio(
  { media, hasAudio }: Stores,
  audio: ConversationAudio,
  subject: IncomingRequest['subject'],
): Promise<StoredDelivery | undefined> {
  subject.conversation = audio.conversationId
  if (!(await hasAudio(audio.conversationId))) return audioDelivery(audio)
  await media.remove(audio.reference)
  return undefined
}

async function fromText(
  stores: Stores,
  body: Buffer,
  subject: IncomingRequest['subject'],
): Promise<StoredDelivery | undefined> {
  if (body.length > LOOP_BYTES_MAX)
    return fromLarge(stores, { given: { bytes: body }, whole: async () => body, subject })
  const payload = body.toString('utf8')
  let postCall: PostCall | undefined
  try {
    postCall = readPostCall(parseJson(payload))
  } catch {
    return unread(payload)
  }
  if (postCall === undefined) return undefined
  subject.conversation = conversationOf(postCall)
  if (postCall.kind !== 'audio') return { ...textDelivery(POST_CALL, postCall, payload), read: postCall }
  const sound = Buffer.from(postCall.audio ?? '', 'base64')
  return fromSound(stores, { sound, postCall, whole: async () => body })
}

/** Read in a thread; of a transcript the inbox gets what was read, so that storing it holds nobody up either. */
async function fromLarge(
  stores: Stores,
  {
    given,
    whole,
    subject,
  }: {
    given: Parameters<LargePostCalls['read']>[0]
    whole: () => Promise<Buffer>
    subject: IncomingRequest['subject']
  },
): Promise<StoredDelivery | undefined> {
  const read = await stores.large.read(given).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    return undefined
  })
  if (read === undefined) return unread((await whole()).toString('utf8'))
  const { postCall, sound } = read
  if (postCall === undefined) return undefined
  subject.conversation = conversationOf(postCall)
  if (postCall.kind !== 'audio') return textDelivery(POST_CALL_READ, postCall, JSON.stringify(postCall))
  return fromSound(stores, { sound: Buffer.from(sound ?? []), postCall, whole })
}

/** A mistake of ours must not lose a signed delivery: it waits in the inbox, with why, for somebody to mend it. */
function unread(payload: string): StoredDelivery {
  return { kind: POST_CALL, conversation: undefined, payload: storable(payload), mediaRef: undefined }
}

function textDelivery(kind: string, postCall: PostCall, payload: string): StoredDelivery {
  return { kind, conversation: conversationOf(postCall), payload: storable(payload), mediaRef: undefined }
}

async function fromSound(
  { media, hasAudio }: Stores,
  { sound, postCall, whole }: { sound: Buffer; postCall: PostCall & { kind: 'audio' }; whole: () => Promise<Buffer> },
): Promise<StoredDelivery | undefined> {
  const { conversationId } = postCall
  if (sound.length === 0 || conversationId === undefined || (await hasAudio(conversationId))) return undefined
  try {
    const reference = await media.store(Readable.from([sound]), 'mp3')
    return audioDelivery({ conversationId, reference })
  } catch (error) {
    if (!isDiskTrouble(error)) throw error
    return textDelivery(POST_CALL_WHOLE_AUDIO, postCall, (await whole()).toString('utf8'))
  }
}

function audioDelivery({ conversationId, reference }: ConversationAudio): StoredDelivery {
  return { kind: POST_CALL_AUDIO, conversation: conversationId, payload: '', mediaRef: reference }
}

function conversationOf(postCall: PostCall): string | undefined {
  switch (postCall.kind) {
    case 'transcript':
      return postCall.conversation.conversationId ?? postCall.conversation.callSid
    case 'failure':
      return postCall.failure.conversationId ?? postCall.failure.callSid
    case 'audio':
      return postCall.conversationId
    case 'unknown':
      return undefined
  }
}

/** The database's text cannot hold NUL characters, which JSON writes as an escape and never raw. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
