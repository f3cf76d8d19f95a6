import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { chunksOf, readArrived } from '../../deliveries/webhooks/read-body.ts'
import type { Reservation, Room } from '../../deliveries/webhooks/unverified-bytes.ts'
import type { IncomingRequest, Received } from '../../deliveries/webhooks/webhook-table.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import { readSignature, SignatureCheck } from './post-call-signature.ts'

/**
 * What is larger than this does not stay in memory: transcripts are smaller, audio is not
 * (docs/reference/providers.md#post-call-sizes).
 */
const MEMORY_BYTES_MAX = 10 * 1024 * 1024

interface Receiving {
  arrival: IncomingRequest
  secrets: readonly string[]
  bytesMax: number
  media: MediaStore
  memory: Reservation
  disk: Room
}

/**
 * Takes a body of any size: small ones in memory, large ones on disk, with the signature computed as the bytes go by. A
 * large one that turns out wrong leaves nothing behind. The headers have been looked at before.
 */
export async function receivePostCall(
  stream: Readable,
  { arrival, secrets, bytesMax, media, memory, disk }: Receiving,
): Promise<Received> {
  const signature = readSignature(arrival.headers)
  if (typeof signature === 'string') throw new Error(signature)
  const check = new SignatureCheck(signature, secrets)
  const arrived = readArrived(stream, MEMORY_BYTES_MAX, memory)
  if (arrived !== undefined) {
    check.update(arrived)
    return { body: arrived, isSigned: check.isRight() }
  }
  const chunks: Buffer[] = []
  let bytes = 0
  let isForDisk = false
  for await (const chunk of chunksOf(stream)) {
    bytes += chunk.length
    chunks.push(chunk)
    check.update(chunk)
    // Where strangers hold the memory, there is still the disk.
    isForDisk = bytes > MEMORY_BYTES_MAX || !memory.claim(chunk.length)
    if (isForDisk) break
  }
  if (isForDisk) return spool(stream, { chunks, bytes, bytesMax, check, media, memory, disk: disk.share() })
  return { body: Buffer.concat(chunks, bytes), isSigned: check.isRight() }
}

interface Spooling extends Pick<Receiving, 'bytesMax' | 'media' | 'memory'> {
  chunks: Buffer[]
  bytes: number
  check: SignatureCheck
  disk: Reservation
}

async function spool(
  stream: Readable,
  { chunks, bytes: read, bytesMax, check, media, memory, disk }: Spooling,
): Promise<Received> {
  const reserved = await media.reserve('json')
  let bytes = read
  let hasRoom = disk.claim(read)
  async function* whole(): AsyncGenerator<Buffer> {
    // Taken out, so that they do not stay in memory while the rest arrives.
    yield* chunks.splice(0)
    memory.release()
    for await (const chunk of chunksOf(stream)) {
      bytes += chunk.length
      hasRoom &&= disk.claim(chunk.length)
      check.update(chunk)
      if (bytes > bytesMax || !hasRoom) return
      yield chunk
    }
  }
  try {
    if (hasRoom) await pipeline(whole, createWriteStream(reserved.file, { mode: 0o600 }))
    const isWhole = hasRoom && bytes <= bytesMax
    const isSigned = isWhole && check.isRight()
    if (!isSigned) await reserved.discard()
    if (isWhole) return { spooled: { file: reserved.file, bytes }, isSigned }
  } catch (error) {
    await reserved.discard()
    throw error
  } finally {
    // Verified bytes are the provider's own, and the others are gone.
    disk.release()
  }
  return hasRoom ? 'too-large' : 'no-room'
}
