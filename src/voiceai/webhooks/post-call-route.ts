import type { Consumer, Inbox } from '../../deliveries/inbox.ts'
import { jsonReply, UNAUTHORIZED } from '../../deliveries/tool-table.ts'
import { withinDeadline } from '../../deliveries/webhook-runner.ts'
import type { Arrival, Authentication, OpenEnv, Reply, WebhookTable } from '../../deliveries/webhook-table.ts'
import type { MediaStore } from '../../ledger/media-store.ts'
import { hasConversationMedia } from '../../ledger/record-conversation.ts'
import type { SettingsSnapshot } from '../../platform/settings.ts'
import { consumePostCall, consumePostCallAudio, POST_CALL, POST_CALL_AUDIO } from './post-call.ts'
import { isTimely, type PostCallSignature, readSignature, SignatureCheck } from './post-call-signature.ts'
import { receivePostCall } from './receive-post-call.ts'
import { toStoredDelivery } from './stored-post-call.ts'

/** Audio of a call of three hours, in base64; nothing longer is sent (providers reference F). */
const AUDIO_BYTES_MAX = 256 * 1024 * 1024
/** Storing a long recording may take a while; the platform's own limit is not published. */
const DEADLINE_MS = 60_000
/** The delivery is safe already: if working on it takes longer, it is acknowledged and the work goes on. */
const PROCESS_DEADLINE_MS = 5_000
/** Longer than this it is not worth knowing whether audio is stored already; a second copy does no harm. */
const LOOK_DEADLINE_MS = 1_000

// The text is the contract's (5.2.4).
const NO_SECRET = 'no webhook secret configured; run voice-agent sync'
const NOT_CONFIGURED = jsonReply({ error: 'Unauthorized', message: NO_SECRET }, 401)

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
        run: (open, arrival) => keepDelivery(parts, open, arrival),
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
    authenticateHeaders,
    reject: (_row, reason) => (reason === NO_SECRET ? NOT_CONFIGURED : UNAUTHORIZED),
    fallback: () => EMPTY,
  }
}

/** What works on post-call deliveries once they are stored. */
export function postCallConsumers(): Record<string, Consumer> {
  return { [POST_CALL]: consumePostCall, [POST_CALL_AUDIO]: consumePostCallAudio }
}

function authenticate(arrival: Arrival, settings: SettingsSnapshot | undefined): Authentication {
  const signature = readTimely(arrival, settings)
  if (typeof signature === 'string') return { ok: false, reason: signature }
  const isRight = arrival.spooled?.isSigned ?? isSigned(arrival.body, signature, settings?.postCallSecrets ?? [])
  return isRight ? { ok: true } : { ok: false, reason: 'the signature does not match' }
}

/** Whether the body could still turn out to be signed. */
function authenticateHeaders(arrival: Arrival, settings: SettingsSnapshot | undefined): Authentication {
  const signature = readTimely(arrival, settings)
  return typeof signature === 'string' ? { ok: false, reason: signature } : { ok: true }
}

/** The signature of a request that may be taken seriously; a string says why it is not. */
function readTimely(arrival: Arrival, settings: SettingsSnapshot | undefined): PostCallSignature | string {
  if (settings === undefined || settings.postCallSecrets.length === 0) return NO_SECRET
  const signature = readSignature(arrival.headers)
  if (typeof signature === 'string' || isTimely(signature, arrival.receivedAt)) return signature
  return 'the signed time is more than 30 minutes off'
}

function isSigned(body: Buffer, signature: PostCallSignature, secrets: readonly string[]): boolean {
  const check = new SignatureCheck(signature, secrets)
  check.update(body)
  return check.isRight()
}

async function keepDelivery({ inbox, media }: PostCallParts, open: OpenEnv, arrival: Arrival): Promise<Reply> {
  const hasAudio = (conversationId: string): Promise<boolean> =>
    withinDeadline(
      open((env) => hasConversationMedia(env, conversationId)),
      LOOK_DEADLINE_MS,
    ).catch(() => false)
  const delivery = await toStoredDelivery({ media, hasAudio }, arrival)
  if (delivery === undefined) return EMPTY
  const id = await inbox.receive(delivery)
  if (id === undefined) return EMPTY
  arrival.about.call = await withinDeadline(inbox.process(id), PROCESS_DEADLINE_MS).catch(() => undefined)
  return EMPTY
}
