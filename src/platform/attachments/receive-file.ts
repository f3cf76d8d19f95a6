import { type Readable, Transform } from 'node:stream'
import { isDiskTrouble } from '../../disk-room.ts'
import { Refusal } from '../../errors.ts'
import type { MediaStore } from '../media/media-store.ts'
import { BYTES } from '../media/shown-type.ts'

/** The providers' own limits for media are below it. */
export const FILE_BYTES_MAX = 25 * 1024 * 1024
const MEGABYTE = 1024 ** 2
/** The beginning of a file, which says what it is. */
const SNIFFED_BYTES = 4_100
const EXTENSION = 'bin'

/** Stores the bytes of a file and says what they are; nothing is left of one that is too large, empty, or broken off. */
export async function receiveFile(
  media: MediaStore,
  source: Readable,
): Promise<{ reference: string; bytes: number; type: string }> {
  const meter = new Meter()
  source.once('error', (error) => meter.destroy(error))
  try {
    const reference = await media.store(source.pipe(meter), EXTENSION)
    if (meter.bytes > 0) return { reference, bytes: meter.bytes, type: await sniffedType(media, reference) }
    await media.remove(reference)
  } catch (error) {
    source.resume()
    throw whyNotStored(error)
  }
  throw new Refusal('refused', 'file-empty')
}

/** What a sender is told when the disk takes no file; any other error as it is. */
export function whyNotStored(error: unknown): unknown {
  if (!isDiskTrouble(error)) return error
  return new Refusal('unavailable', 'files-no-room', {}, { cause: error })
}

/** Refuses a file that says itself how large it is, before any of it is read. */
export function requireFits(bytes: number): void {
  if (bytes > FILE_BYTES_MAX) throw tooLarge()
}

function tooLarge(): Refusal {
  return new Refusal('too-large', 'file-too-large', { megabytes: FILE_BYTES_MAX / MEGABYTE })
}

/** By what it begins with, whatever its sender calls it; text and what is not known are bytes. */
async function sniffedType(media: MediaStore, reference: string): Promise<string> {
  const opened = await media.open(reference, { start: 0, end: SNIFFED_BYTES - 1 })
  if (opened === undefined) return BYTES
  const chunks: Buffer[] = []
  for await (const chunk of opened.stream) chunks.push(chunk as Buffer)
  // Loaded when the first file comes: it knows a hundred types, and most processes never need it.
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(Buffer.concat(chunks)))?.mime ?? BYTES
}

class Meter extends Transform {
  bytes = 0

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.bytes += chunk.length
    if (this.bytes > FILE_BYTES_MAX) done(tooLarge())
    else done(null, chunk)
  }
}
