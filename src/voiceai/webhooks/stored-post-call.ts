import { readFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { StoredDelivery } from '../../deliveries/stored-delivery.ts'
import type { Arrival, SpooledBody } from '../../deliveries/webhook-table.ts'
import { isDiskTrouble } from '../../disk-room.ts'
import { Refusal } from '../../errors.ts'
import type { MediaStore } from '../../ledger/media-store.ts'
import { POST_CALL, POST_CALL_AUDIO, POST_CALL_WHOLE_AUDIO } from './post-call.ts'
import { extractAudio, type StoredAudio } from './post-call-audio.ts'
import { type PostCall, readPostCall } from './post-call-payload.ts'

/** A delivery without audio that is larger than this is no transcript; nothing else is taken into memory whole. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024

interface Keeping {
  media: MediaStore
  /** Whether the audio of a conversation is kept already, so that a repeated delivery leaves no second copy. */
  hasAudio(conversationId: string): Promise<boolean>
}

/**
 * What of a delivery goes into the inbox, its audio stored beforehand; undefined when there is nothing in it that could
 * ever be processed. A spooled body is gone from the disk afterwards.
 */
export async function toStoredDelivery(
  keeping: Keeping,
  { body, spooled, about }: Arrival,
): Promise<StoredDelivery | undefined> {
  return spooled === undefined ? fromText(keeping, body, about) : fromFile(keeping, spooled, about)
}

async function fromFile(
  keeping: Keeping,
  { file, bytes }: SpooledBody,
  about: Arrival['about'],
): Promise<StoredDelivery | undefined> {
  try {
    const audio = await extractAudio(keeping.media, file).catch((error: unknown) => {
      // It may still fit into the inbox as it came.
      if (isDiskTrouble(error) && bytes <= TEXT_BYTES_MAX) return undefined
      throw error
    })
    if (audio !== undefined) return await fromAudio(keeping, audio, about)
    if (bytes > TEXT_BYTES_MAX)
      throw new Refusal('too-large', `A delivery of ${bytes} bytes without audio is too large.`)
    return await fromText(keeping, await readFile(file), about)
  } finally {
    await rm(file, { force: true })
  }
}

async function fromAudio(
  { media, hasAudio }: Keeping,
  audio: StoredAudio,
  about: Arrival['about'],
): Promise<StoredDelivery | undefined> {
  about.conversation = audio.conversationId
  if (!(await hasAudio(audio.conversationId))) return audioDelivery(audio)
  await media.remove(audio.reference)
  return undefined
}

async function fromText(
  { media, hasAudio }: Keeping,
  body: Buffer,
  about: Arrival['about'],
): Promise<StoredDelivery | undefined> {
  const payload = body.toString('utf8')
  let postCall: PostCall | undefined
  try {
    postCall = readPostCall(parseJson(payload))
  } catch {
    // A mistake of ours must not lose a signed delivery: it waits in the inbox, with why, for somebody to mend it.
    return { kind: POST_CALL, conversation: undefined, payload: storable(payload), mediaRef: undefined }
  }
  if (postCall === undefined) return undefined
  const conversation = conversationOf(postCall)
  about.conversation = conversation
  if (postCall.kind !== 'audio')
    return { kind: POST_CALL, conversation, payload: storable(payload), mediaRef: undefined }
  const { audio, conversationId } = postCall
  const sound = Buffer.from(audio ?? '', 'base64')
  if (sound.length === 0 || conversationId === undefined || (await hasAudio(conversationId))) return undefined
  try {
    const reference = await media.store(Readable.from([sound]), 'mp3')
    return audioDelivery({ conversationId, reference })
  } catch (error) {
    if (!isDiskTrouble(error)) throw error
    return { kind: POST_CALL_WHOLE_AUDIO, conversation, payload: storable(payload), mediaRef: undefined }
  }
}

function audioDelivery({ conversationId, reference }: StoredAudio): StoredDelivery {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The database's text cannot hold NUL characters, which JSON writes as an escape and never raw. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
