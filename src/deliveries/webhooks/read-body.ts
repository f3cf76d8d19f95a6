import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Share } from './unverified-bytes.ts'
import type { Received } from './webhook-table.ts'

/** Bytes of a refused body that are read and thrown away, because most senders read the answer only after they sent all. */
const DISCARD_BYTES_MAX = 32 * 1024 * 1024

/** What was seen of a body that nobody wanted: its beginning, and how many bytes came. */
export interface Discarded {
  head: Buffer
  bytes: number
}

/** The whole body; or that it is larger than allowed, or that strangers hold all the room. Then nothing of it is kept. */
export async function readBody(request: IncomingMessage, bytesMax: number, share: Share): Promise<Received> {
  if (declaredBytes(request) > bytesMax) {
    await discardBody(request)
    return 'too-large'
  }
  const arrived = readArrived(request, bytesMax, share)
  if (arrived !== undefined) return { body: arrived }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(request)) {
    bytes += chunk.length
    const isTooLarge = bytes > bytesMax
    if (isTooLarge || !share.claim(chunk.length)) {
      chunks.length = 0
      await discardBody(request)
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
export function readArrived(stream: Readable, bytesMax: number, share: Share): Buffer | undefined {
  if (!(stream instanceof IncomingMessage) || !stream.complete || stream.destroyed) return undefined
  const bytes = stream.readableLength
  if (bytes === 0 || bytes > bytesMax || !share.claim(bytes)) return undefined
  return stream.read() as Buffer
}

/** Reads what is left of a body and keeps its first bytes only; of a huge one the rest stays unread. */
export async function discardBody(stream: Readable, headBytesMax = 0): Promise<Discarded> {
  const head: Buffer[] = []
  let headBytes = 0
  let bytes = 0
  for await (const chunk of chunksOf(stream)) {
    bytes += chunk.length
    if (headBytes < headBytesMax) {
      const part = chunk.subarray(0, headBytesMax - headBytes)
      // Copied, because a part of a chunk keeps the whole of it in memory.
      head.push(Buffer.from(part))
      headBytes += part.length
    }
    if (bytes > DISCARD_BYTES_MAX) break
  }
  return { head: Buffer.concat(head, headBytes), bytes }
}

/** The stream must outlive a break: destroying it would close the connection before its sender was told why. */
export function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

/** How large the sender says that the body is; 0 when it does not say. Node reads no more than that. */
function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}
