import { IncomingMessage, type ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Reservation } from './unverified-bytes.ts'
import type { Received } from './webhook-table.ts'

/** Bytes of a refused body that are read and thrown away, because most senders read the answer only after they sent all. */
const DISCARD_BYTES_MAX = 32 * 1024 * 1024
/** How long such a body is read in all. */
const DISCARD_MS = 10_000
/** How long nothing may come of it meanwhile: a sender that waits for the answer has it, and sends no more. */
const DISCARD_IDLE_MS = 2_000

/** What was seen of a body that nobody wanted: its beginning, and how many bytes came. */
export interface Discarded {
  head: Buffer
  bytes: number
}

/** The whole body; or that it is larger than allowed, or that strangers hold all the room. Then nothing of it is kept. */
export async function readBody(request: IncomingMessage, bytesMax: number, share: Reservation): Promise<Received> {
  const arrived = readArrived(request, bytesMax, share)
  if (arrived !== undefined) return { body: arrived }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(request)) {
    bytes += chunk.length
    const isTooLarge = bytes > bytesMax
    if (isTooLarge || !share.claim(chunk.length)) {
      chunks.length = 0
      return isTooLarge ? 'too-large' : 'no-room'
    }
    chunks.push(chunk)
  }
  return { body: Buffer.concat(chunks, bytes) }
}

/**
 * The body when all of it is here already, as a small one is that came together with its headers: taking it at once saves
 * an iterator and its promises. Undefined, and nothing is taken, when more is to come, or it is too large or finds no room.
 */
export function readArrived(stream: Readable, bytesMax: number, share: Reservation): Buffer | undefined {
  if (!(stream instanceof IncomingMessage) || !stream.complete || stream.destroyed) return undefined
  const bytes = stream.readableLength
  if (bytes === 0 || bytes > bytesMax || !share.claim(bytes)) return undefined
  return stream.read() as Buffer
}

/**
 * Reads what is left of a body and keeps its first bytes only. Of a huge one, and of one that is slow or never comes, the
 * rest stays unread. Never rejects. Others may read past the same body at the same time.
 */
export function discardBody(stream: Readable, headBytesMax = 0): Promise<Discarded> {
  const { promise, resolve } = Promise.withResolvers<Discarded>()
  const head: Buffer[] = []
  let headBytes = 0
  let bytes = 0
  const stop = () => {
    clearTimeout(end)
    clearTimeout(pause)
    stream.off('data', take)
    for (const event of ENDS) stream.off(event, stop)
    resolve({ head: Buffer.concat(head, headBytes), bytes })
  }
  const take = (chunk: Buffer) => {
    bytes += chunk.length
    pause.refresh()
    if (headBytes < headBytesMax) {
      const part = chunk.subarray(0, headBytesMax - headBytes)
      // Copied, because a part of a chunk keeps the whole of it in memory.
      head.push(Buffer.from(part))
      headBytes += part.length
    }
    if (bytes > DISCARD_BYTES_MAX) stop()
  }
  const end = setTimeout(stop, DISCARD_MS)
  const pause = setTimeout(stop, DISCARD_IDLE_MS)
  for (const event of ENDS) stream.once(event, stop)
  stream.on('data', take).resume()
  if (stream.readableEnded || stream.destroyed) stop()
  return promise
}

const ENDS = ['end', 'error', 'close'] as const

/** Whether some of the body is still to come, or was never asked for. */
export function isUnread(request: IncomingMessage): boolean {
  return request instanceof IncomingMessage && !request.complete && !request.destroyed && hasBody(request)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Tells a sender that waits for it ("Expect: 100-continue") that the body is wanted. */
export function askForBody({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined) response.writeContinue()
}

/** The stream must outlive a break: destroying it would close the connection before its sender was told why. */
export function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

/** How large the sender says that the body is; 0 when it does not say. Node reads no more than that. */
export function declaredBytes({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return Number(headers['content-length'] ?? 0)
}
