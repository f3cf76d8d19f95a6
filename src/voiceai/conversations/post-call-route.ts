import { Type } from 'typebox'
import type { Inbox } from '../../deliveries/inbox/inbox.ts'
import { jsonReply, UNAUTHORIZED } from '../../deliveries/tools/tool-table.ts'
import { withinDeadline } from '../../deliveries/webhooks/deadline.ts'
import { refused } from '../../deliveries/webhooks/described-webhooks.ts'
import { NOT_SAVED } from '../../deliveries/webhooks/runner-replies.ts'
import type { Room } from '../../deliveries/webhooks/unverified-bytes.ts'
import type {
  Authentication,
  HeaderVerdict,
  IncomingRequest,
  Reply,
  WebhookTable,
} from '../../deliveries/webhooks/webhook-table.ts'
import { Refusal } from '../../errors.ts'
import { hasConversationMedia } from '../../ledger/conversations/record-conversation.ts'
import type { OpenEnv } from '../../platform/access/env.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import type { VerificationSettings } from '../../platform/settings/settings.ts'
import { MISFIT } from './misfit.ts'
import { isTimely, readSignature } from './post-call-signature.ts'
import { LargePostCalls } from './read-large-post-call.ts'
import { receivePostCall } from './receive-post-call.ts'
import { POST_CALL_SHAPE } from './shapes.ts'
import { toStoredDelivery } from './stored-post-call.ts'

/** Audio of a call of three hours, in base64; nothing longer is sent (docs/reference/providers.md#post-call-sizes). */
const AUDIO_BYTES_MAX = 256 * 1024 * 1024
/** Storing a long recording may take a while; the platform's own limit is not published. */
const DEADLINE_MS = 60_000
const MS_PER_SECOND = 1_000
const SECONDS_PER_MINUTE = 60
/** Longer than this it is not worth knowing whether audio is stored already; a second copy does no harm. */
const LOOK_DEADLINE_MS = 1_000

// The text is the contract's (docs/reference/contract.md#post-call-signature).
const NO_SECRET = 'no webhook secret configured; run voice-agent sync'
const NOT_CONFIGURED = jsonReply({ error: 'Unauthorized', message: NO_SECRET }, 401)

const NOT_FROM_PLATFORM = 'The request is not from ElevenLabs, or a proxy changed the header.'
const NOT_SIGNED: Authentication = { ok: false, reason: MISFIT, isSigned: true }

const EMPTY: Reply = { status: 200, contentType: 'text/plain; charset=utf-8', body: '' }

interface PostCallParts {
  inbox: Inbox
  media: MediaStore
  /** Room on disk for large bodies of senders who are not known yet. */
  disk: Room
}

/**
 * `/connect_voiceai/post_call`: signed bytes in, empty 200 out, whatever becomes of the delivery once it is kept. One
 * that neither the database nor a disk could keep is answered 503.
 */
export function postCallTable(parts: PostCallParts): WebhookTable {
  const large = new LargePostCalls()
  return {
    area: 'voiceai',
    prefix: '/connect_voiceai',
    rows: [
      {
        path: '/post_call',
        describes: POST_CALL_SHAPE,
        access: 'own',
        isStoredFirst: true,
        deadlineMs: DEADLINE_MS,
        bodyBytesMax: AUDIO_BYTES_MAX,
        run: (open, arrival) => saveDelivery({ ...parts, large }, open, arrival),
      },
    ],
    proof: {
      header: 'Voiceai-Signature',
      says: 'Signed with the post-call secret; ElevenLabs-Signature, the name that the provider has for it, counts too',
      contentType: 'application/json',
      refusals: {
        401: refused('Not signed, or no secret is set yet', { message: Type.String() }),
        413: refused('Too large'),
        503: refused('It could not be saved: send it again'),
      },
    },
    receive: (request, arrival, { settings, memory }) =>
      receivePostCall(request, {
        arrival,
        secrets: settings?.postCallSecrets ?? [],
        bytesMax: AUDIO_BYTES_MAX,
        media: parts.media,
        memory,
        disk: parts.disk,
      }),
    authenticateHeaders,
    authenticateBody: ({ isSigned }) => (isSigned === true ? { ok: true } : NOT_SIGNED),
    reject: (_row, reason) => (reason === NO_SECRET ? NOT_CONFIGURED : UNAUTHORIZED),
    // Once it is kept nothing fails any more: what ends here was not.
    fallback: (_row, error) =>
      error instanceof Refusal ? jsonReply({ error: error.message }, error.status) : NOT_SAVED,
  }
}

/** Whether the body could still turn out to be signed. */
function authenticateHeaders(arrival: IncomingRequest, settings: VerificationSettings | undefined): HeaderVerdict {
  const signature = readSignature(arrival.headers)
  const isSigned = typeof signature !== 'string'
  if (settings === undefined || settings.postCallSecrets.length === 0) return { ok: false, reason: NO_SECRET, isSigned }
  if (!isSigned) {
    return { ok: false, reason: `${signature} ${NOT_FROM_PLATFORM}`, isSigned }
  }
  if (isTimely(signature, arrival.receivedAt)) return 'undecided'
  const minutes = Math.round((arrival.receivedAt.getTime() / MS_PER_SECOND - signature.seconds) / SECONDS_PER_MINUTE)
  const reason =
    `The signed time is ${Math.abs(minutes)} minutes ${minutes > 0 ? 'before' : 'after'} the clock here; up to 30 minutes are accepted. ` +
    'Set the clock by NTP. A webhook that arrives late or is sent again is not accepted.'
  return { ok: false, reason, isSigned }
}

async function saveDelivery(
  { inbox, media, large }: PostCallParts & { large: LargePostCalls },
  open: OpenEnv,
  arrival: IncomingRequest,
): Promise<Reply> {
  const hasAudio = (conversationId: string): Promise<boolean> =>
    withinDeadline(
      open((env) => hasConversationMedia(env, conversationId)),
      LOOK_DEADLINE_MS,
    ).catch(() => false)
  const delivery = await toStoredDelivery({ media, large, hasAudio }, arrival)
  if (delivery === undefined) return EMPTY
  const worked = await inbox.receiveAndProcess(delivery).catch(async (error: unknown) => {
    if (delivery.mediaRef !== undefined) await media.remove(delivery.mediaRef)
    throw error
  })
  arrival.subject.inbox = worked?.id
  arrival.subject.call = worked?.call
  return EMPTY
}
