import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Arrival, Received } from '../../deliveries/webhook-table.ts'
import type { MediaStore } from '../../ledger/media-store.ts'
import { isTimely, readSignature, SignatureCheck } from './post-call-signature.ts'

/** What is larger than this does not stay in memory: transcripts are smaller, audio is not (providers reference F). */
const MEMORY_BYTES_MAX = 10 * 1024 * 1024

interface Receiving {
  arrival: Arrival
  secrets: readonly string[]
  bytesMax: number
  media: MediaStore
}

/**
 * Takes a body of any size: small ones in memory, large ones on disk, with the signature computed as the bytes go by.
 * A large body is only taken when its header could be right; a wrong one leaves nothing behind.
 */
export async function receivePostCall(
  stream: Readable,
  { arrival, secrets, bytesMax, media }: Receiving,
): Promise<Received> {
  const signature = readSignature(arrival.headers)
  const isWorthReading = typeof signature !== 'string' && secrets.length > 0 && isTimely(signature, arrival.receivedAt)
  const check = isWorthReading ? new SignatureCheck(signature, secrets) : undefined
  const chunks: Buffer[] = []
  let bytes = 0
  const iterator = stream.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>
  for await (const chunk of iterator) {
    bytes += chunk.length
    chunks.push(chunk)
    check?.update(chunk)
    if (bytes <= MEMORY_BYTES_MAX) continue
    if (check === undefined) return 'too-large'
    return spool(stream, { chunks, bytes, bytesMax, check, media })
  }
  return { body: Buffer.concat(chunks, bytes) }
}

interface Spooling {
  chunks: readonly Buffer[]
  bytes: number
  bytesMax: number
  check: SignatureCheck
  media: MediaStore
}

async function spool(stream: Readable, { chunks, bytes: read, bytesMax, check, media }: Spooling): Promise<Received> {
  const reserved = await media.reserve('json')
  const file = createWriteStream(reserved.file, { mode: 0o600 })
  let bytes = read
  try {
    for (const chunk of chunks) file.write(chunk)
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>) {
      bytes += chunk.length
      check.update(chunk)
      if (bytes > bytesMax) break
      if (!file.write(chunk)) await new Promise((resolve) => file.once('drain', resolve))
    }
    file.end()
    await finished(file)
  } catch (error) {
    file.destroy()
    await reserved.discard()
    throw error
  }
  const isSigned = bytes <= bytesMax && check.isRight()
  if (!isSigned) await reserved.discard()
  if (bytes > bytesMax) return 'too-large'
  return { spooled: { file: reserved.file, bytes, isSigned } }
}
