import type { Readable } from 'node:stream'
import type { Received } from './webhook-table.ts'

/** Bytes of a refused body that are read and thrown away, because most senders read the answer only after they sent all. */
const DISCARD_BYTES_MAX = 32 * 1024 * 1024

/** The whole body, or that it is larger than allowed; then nothing of it is kept. */
export async function readBody(stream: Readable, bytesMax: number): Promise<Received> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(stream)) {
    bytes += chunk.length
    if (bytes > bytesMax) break
    chunks.push(chunk)
  }
  if (bytes <= bytesMax) return { body: Buffer.concat(chunks, bytes) }
  await discardBody(stream)
  return 'too-large'
}

/** Reads what is left of a body and keeps none of it; of a huge one the rest stays unread. */
export async function discardBody(stream: Readable): Promise<void> {
  let bytes = 0
  for await (const chunk of chunksOf(stream)) {
    bytes += chunk.length
    if (bytes > DISCARD_BYTES_MAX) return
  }
}

/** The stream must outlive a break: destroying it would close the connection before its sender was told why. */
export function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}
