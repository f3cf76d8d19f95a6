import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { chunksOf, discardBody } from '../../deliveries/read-body.ts'
import type { Arrival, Received } from '../../deliveries/webhook-table.ts'
import type { MediaStore } from '../../ledger/media-store.ts'
import { isTimely, readSignature, SignatureCheck } from './post-call-signature.ts'

/** What is larger than this does not stay in memory: transcripts are smaller, audio is not (providers reference F). */
export const MEMORY_BYTES_MAX = 10 * 1024 * 1024

interface Receiving {
  arrival: Arrival
  secrets: readonly string[]
  bytesMax: number
  media: MediaStore
}

/**
 * Takes a body of any size: small ones in memory, large ones on disk, with the signature computed as the bytes go by.
 * Nothing is kept of a body whose header cannot be right, and a large one that turns out wrong leaves nothing behind.
 */
export async function receivePostCall(
  stream: Readable,
  { arrival, secrets, bytesMax, media }: Receiving,
): Promise<Received> {
  const signature = readSignature(arrival.headers)
  if (typeof signature === 'string' || secrets.length === 0 || !isTimely(signature, arrival.receivedAt)) {
    await discardBody(stream)
    return { body: Buffer.alloc(0) }
  }
  const check = new SignatureCheck(signature, secrets)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(stream)) {
    bytes += chunk.length
    chunks.push(chunk)
    check.update(chunk)
    if (bytes > MEMORY_BYTES_MAX) break
  }
  if (bytes > MEMORY_BYTES_MAX) return spool(stream, { chunks, bytes, bytesMax, check, media })
  return { body: Buffer.concat(chunks, bytes) }
}

interface Spooling {
  chunks: Buffer[]
  bytes: number
  bytesMax: number
  check: SignatureCheck
  media: MediaStore
}

async function spool(stream: Readable, { chunks, bytes: read, bytesMax, check, media }: Spooling): Promise<Received> {
  const reserved = await media.reserve('json')
  let bytes = read
  async function* whole(): AsyncGenerator<Buffer> {
    // Taken out, so that they do not stay in memory while the rest arrives.
    yield* chunks.splice(0)
    for await (const chunk of chunksOf(stream)) {
      bytes += chunk.length
      check.update(chunk)
      if (bytes > bytesMax) return
      yield chunk
    }
  }
  try {
    await pipeline(whole, createWriteStream(reserved.file, { mode: 0o600 }))
  } catch (error) {
    await reserved.discard()
    throw error
  }
  const isSigned = bytes <= bytesMax && check.isRight()
  if (!isSigned) await reserved.discard()
  if (bytes > bytesMax) return 'too-large'
  return { spooled: { file: reserved.file, bytes, isSigned } }
}
