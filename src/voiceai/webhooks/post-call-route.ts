import { Readable } from 'node:stream'
import type { Consumer, Inbox, StoredDelivery } from '../../deliveries/inbox.ts'
import { UNAUTHORIZED } from '../../deliveries/tool-table.ts'
import { withinDeadline } from '../../deliveries/webhook-runner.ts'
import type { Arrival, Authentication, Reply, WebhookTable } from '../../deliveries/webhook-table.ts'
import type { MediaStore } from '../../ledger/media-store.ts'
import type { SettingsSnapshot } from '../../platform/settings.ts'
import { consumePostCall, consumePostCallAudio, POST_CALL, POST_CALL_AUDIO } from './post-call.ts'
import { extractAudio } from './post-call-audio.ts'
import { readPostCall } from './post-call-payload.ts'
import { isTimely, readSignature, SignatureCheck } from './post-call-signature.ts'
import { receivePostCall } from './receive-post-call.ts'

/** Audio of a call of three hours, in base64; nothing longer is sent (providers reference F). */
const AUDIO_BYTES_MAX = 256 * 1024 * 1024
/** Storing a long recording may take a while; the platform's own limit is not published. */
const DEADLINE_MS = 60_000
/** The delivery is safe already: if working on it takes longer, it is acknowledged and the work goes on. */
const PROCESS_DEADLINE_MS = 5_000

const EMPTY: Reply = { status: 200, contentType: 'text/plain; charset=utf-8', body: '' }

interface PostCallParts {
  inbox: Inbox
  media: MediaStore
}

/** `/connect_voiceai/post_call`: signed bytes in, empty 200 out, whatever happens after the signature was right. */
export function postCallTable(parts: PostCallParts): WebhookTable {
  return {
    area: 'voiceai',
    prefix: '/connect_voiceai',
    rows: [
      {
        path: '/post_call',
        access: 'own',
        deadlineMs: DEADLINE_MS,
        bodyBytesMax: AUDIO_BYTES_MAX,
        run: (_open, arrival) => keepDelivery(parts, arrival),
      },
    ],
    receive: (stream, arrival, settings) =>
      receivePostCall(stream, {
        arrival,
        secrets: settings?.postCallSecrets ?? [],
        bytesMax: AUDIO_BYTES_MAX,
        media: parts.media,
      }),
    authenticate: (_row, arrival, settings) => authenticate(arrival, settings),
    reject: () => UNAUTHORIZED,
    fallback: () => EMPTY,
  }
}

/** What works on post-call deliveries once they are stored. */
export function postCallConsumers(): Record<string, Consumer> {
  return { [POST_CALL]: consumePostCall, [POST_CALL_AUDIO]: consumePostCallAudio }
}

function authenticate(arrival: Arrival, settings: SettingsSnapshot | undefined): Authentication {
  const secrets = settings?.postCallSecrets ?? []
  // The text is the contract's (5.2.4).
  if (secrets.length === 0) return { ok: false, reason: 'no webhook secret configured; run voice-agent sync' }
  const signature = readSignature(arrival.headers)
  if (typeof signature === 'string') return { ok: false, reason: signature }
  if (!isTimely(signature, arrival.receivedAt))
    return { ok: false, reason: 'the signed time is more than 30 minutes off' }
  return isSigned(arrival, secrets) ? { ok: true } : { ok: false, reason: 'the signature does not match' }
}

function isSigned(arrival: Arrival, secrets: readonly string[]): boolean {
  if (arrival.spooled !== undefined) return arrival.spooled.isSigned
  const signature = readSignature(arrival.headers)
  if (typeof signature === 'string') return false
  const check = new SignatureCheck(signature, secrets)
  check.update(arrival.body)
  return check.isRight()
}

async function keepDelivery({ inbox, media }: PostCallParts, arrival: Arrival): Promise<Reply> {
  const delivery = await toDelivery(media, arrival)
  if (delivery === undefined) return EMPTY
  arrival.about.conversation = delivery.conversation
  const id = await inbox.receive(delivery)
  if (id !== undefined) await withinDeadline(inbox.process(id), PROCESS_DEADLINE_MS).catch(() => undefined)
  return EMPTY
}

/** What goes into the inbox; undefined when the body is nothing that could ever be processed. */
async function toDelivery(media: MediaStore, { body, spooled }: Arrival): Promise<StoredDelivery | undefined> {
  if (spooled !== undefined) {
    const audio = await extractAudio(media, spooled.file)
    if (audio === undefined) return undefined
    return { kind: POST_CALL_AUDIO, conversation: audio.conversationId, payload: '', mediaRef: audio.reference }
  }
  const payload = body.toString('utf8')
  const postCall = readPostCall(parseJson(payload))
  if (postCall === undefined) return undefined
  if (postCall.kind !== 'audio') {
    const conversation = postCall.kind === 'transcript' ? postCall.conversation.conversationId : undefined
    return { kind: POST_CALL, conversation, payload: storable(payload), mediaRef: undefined }
  }
  const { audio, conversationId } = postCall
  if (audio === undefined || conversationId === undefined) return undefined
  const mediaRef = await media.store(Readable.from([Buffer.from(audio, 'base64')]), 'mp3')
  return { kind: POST_CALL_AUDIO, conversation: conversationId, payload: '', mediaRef }
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
