// Signed deliveries, sent as fast as their answers come, and what they were answered.
import { aConversationId, anAudio, aTranscript, sign } from '../tests/fixtures/post-call.ts'
import { addStatuses, pause } from './storm.ts'

export const POST_CALL = '/connect_voiceai/post_call'
const ANSWER_TIMEOUT_MS = 20_000
const SENDERS = 8

/** What was answered, and which conversations were acknowledged with it. */
export interface Sent {
  acknowledged: string[]
  statuses: Map<string, number>
  /** The longest that a sender waited for an answer, in milliseconds. */
  longestMs: number
}

export interface Sending {
  /** Where the service listens at the moment. */
  url(): string
  /** Ends the sending, looked at before each delivery. */
  until(sent: Sent): boolean
  perSecond?: number
  /** Deliveries on their way at once. */
  senders?: number
  /** Bytes of sound in each delivery; without it transcripts are sent. */
  audioBytes?: number
}

/** Sends until it is told to stop; each conversation once, as the platform does when it is answered. */
export async function sendPostCalls({
  url,
  until,
  perSecond = 200,
  senders = SENDERS,
  audioBytes,
}: Sending): Promise<Sent> {
  const sent: Sent = { acknowledged: [], statuses: new Map(), longestMs: 0 }
  const began = performance.now()
  let begun = 0
  const sender = async (): Promise<void> => {
    while (!until(sent)) {
      const dueMs = (begun / perSecond) * 1_000 - (performance.now() - began)
      begun += 1
      if (dueMs > 0) await pause(dueMs)
      const id = aConversationId()
      const asked = performance.now()
      const status = await deliver(url(), id, { audioBytes })
      sent.longestMs = Math.max(sent.longestMs, performance.now() - asked)
      sent.statuses.set(status, (sent.statuses.get(status) ?? 0) + 1)
      if (status === '200') sent.acknowledged.push(id)
    }
  }
  await Promise.all(Array.from({ length: senders }, sender))
  return sent
}

/** Sends one, signed at that time; gives the status of the answer, or `none` when there was no answer. */
export async function deliver(
  url: string,
  id: string,
  { audioBytes, at = new Date() }: { audioBytes?: number | undefined; at?: Date },
): Promise<string> {
  const sound = audioBytes === undefined ? undefined : Buffer.alloc(audioBytes, `ID3 ${id} `)
  const body = JSON.stringify(
    sound === undefined ? aTranscript({ conversationId: id, callSid: null }) : anAudio(id, sound),
  )
  const headers = { 'voiceai-signature': sign(body, { at }), 'content-type': 'application/json' }
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    const reply = await fetch(url + POST_CALL, { method: 'POST', headers, body, signal })
    await reply.arrayBuffer()
    return String(reply.status)
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'none'
  }
}

/** What several senders sent, as if one had. */
export function together(...all: readonly Sent[]): Sent {
  return {
    acknowledged: all.flatMap(({ acknowledged }) => acknowledged),
    statuses: addStatuses(...all.map(({ statuses }) => statuses)),
    longestMs: Math.max(...all.map(({ longestMs }) => longestMs)),
  }
}

/** `200: 1234, 503: 56`. */
export function renderStatuses(statuses: ReadonlyMap<string, number>): string {
  return [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
}
