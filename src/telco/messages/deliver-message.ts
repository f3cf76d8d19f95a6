import type { JobKind } from '../../jobs/queue.ts'
import { parseMessageStatus } from '../../ledger/messages/message-status.ts'
import { forgetOptOut } from '../../ledger/messages/opt-out.ts'
import { type ClaimedMessage, claimMessage, markLost, releaseMessage } from '../../ledger/messages/outgoing-message.ts'
import { recordDelivery } from '../../ledger/messages/record-message-status.ts'
import { type SendRef, writeSendRef } from '../../ledger/messages/send-ref.ts'
import type { Env, OpenEnv } from '../../platform/access/env.ts'
import { type NewMessage, ProviderRefused, ProviderUnavailable, type TelcoClient } from '../../ports/telco-client.ts'
import { statusUrl } from '../applications/webhook-url.ts'
import { CREDENTIALS_NOT_ACCEPTED, CredentialsRefused, MAYBE_DONE, UNREACHABLE } from '../client/failures.ts'
import { credentialsProblem } from '../sync/readiness.ts'

/** The job that hands a draft to the provider. */
export const SEND_MESSAGE_JOB = 'message-send'

const ATTEMPTS_MAX = 6
const RETRY_SECONDS = 5
const CONCURRENCY = 4
/** A message whose sender was killed goes on soon; the queue knows no shorter heartbeat. */
const HEARTBEAT_SECONDS = 10
const POLL_SECONDS = 2

const NOT_REACHED = 'Twilio cannot be reached.'
const TRIED_AGAIN = 'It is tried again.'

/** Sends each draft at most once: what may have been sent already is never sent again by itself. */
export function sendMessageJob(open: OpenEnv, client: TelcoClient): JobKind<SendRef> {
  return {
    name: SEND_MESSAGE_JOB,
    attemptsMax: ATTEMPTS_MAX,
    retryDelaySeconds: RETRY_SECONDS,
    concurrency: CONCURRENCY,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    pollSeconds: POLL_SECONDS,
    async work({ id, attempt }, { isLast }) {
      const ref = { id, attempt }
      const taken = await open((env) => claim(env, ref))
      if (taken === undefined) return
      try {
        const sent = await client.sendMessage(taken)
        const { sid, errorCode, errorMessage } = sent
        const status = parseMessageStatus(sent.status) ?? 'queued'
        const report = { status, errorCode: errorCode ?? null, errorMessage: errorMessage ?? null }
        await open(async (env) => {
          await recordDelivery(env, { sid, ref }, report)
          if (report.errorCode === null) forgetOptOut(env, id)
        })
      } catch (error) {
        await open((env) => saveFailure(env, ref, { error, isLast }))
        if (isWorthRepeating(error) && !isLast) throw error
      }
    },
  }
}

/** Undefined when there is nothing to send: it was, or another run died after claiming it. */
async function claim(env: Env, ref: SendRef): Promise<NewMessage | undefined> {
  const taken = await claimMessage(env.db, ref)
  if (taken !== undefined) return toNewMessage(env, ref, taken)
  await markLost(env, ref, MAYBE_DONE)
  return undefined
}

function toNewMessage({ settings }: Env, ref: SendRef, taken: ClaimedMessage): NewMessage {
  const prefix = taken.message_type === 'WhatsApp' ? 'whatsapp:' : ''
  const path = `/telco/webhook/message_status?ref=${writeSendRef(ref)}`
  const variables = taken.content_variables === null ? undefined : JSON.stringify(taken.content_variables)
  return {
    to: prefix + (taken.wire_address ?? taken.to_number),
    from: prefix + taken.from_number,
    body: taken.body ?? '',
    // What a template shows, the provider takes from the template.
    mediaUrls: taken.content_sid === null ? (taken.media ?? []).map(({ url }) => url) : [],
    content: taken.content_sid === null ? undefined : { sid: taken.content_sid, variables },
    statusCallback: statusUrl(settings.apiUrl, path, settings.telcoEdge) ?? undefined,
  }
}

async function saveFailure(env: Env, ref: SendRef, { error, isLast }: { error: unknown; isLast: boolean }) {
  if (error instanceof ProviderRefused) {
    const report = { status: 'failed', errorCode: error.providerCode ?? null, errorMessage: error.message } as const
    return recordDelivery(env, { sid: undefined, ref }, report)
  }
  if (!isWorthRepeating(error)) {
    await markLost(env, ref, MAYBE_DONE)
    return
  }
  const why =
    credentialsProblem(env.settings)?.message ??
    (error instanceof CredentialsRefused ? CREDENTIALS_NOT_ACCEPTED : undefined)
  if (!isLast) return releaseMessage(env, ref, `${why ?? NOT_REACHED} ${TRIED_AGAIN}`)
  const report = { status: 'failed', errorCode: null, errorMessage: why ?? UNREACHABLE } as const
  await recordDelivery(env, { sid: undefined, ref }, report)
}

/** It surely was not sent: the provider was not reached, or did not want to hear of it. */
function isWorthRepeating(error: unknown): boolean {
  return error instanceof ProviderUnavailable && !error.mayHaveHappened
}
