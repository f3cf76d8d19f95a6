import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { MediaStore } from '../../ledger/media-store.ts'

const AUDIO_KEY = '"full_audio"'
const QUOTE = 0x22
/** Everything of the delivery but the audio fits into this many characters. */
const REST_CHARS_MAX = 64 * 1024
/** Bytes read at once; the largest piece of audio in memory. */
const CHUNK_BYTES = 256 * 1024
const BASE64_GROUP = 4

/**
 * Takes the audio out of a large delivery on disk and stores it, piece by piece, without holding it in memory. The
 * delivery's file is removed. Undefined when it is no audio delivery.
 */
export async function extractAudio(
  media: MediaStore,
  file: string,
): Promise<{ conversationId: string; reference: string } | undefined> {
  try {
    const splitter = new AudioSplitter()
    const reference = await media.store(Readable.from(splitter.audio(file)), 'mp3')
    const conversationId = splitter.conversationId()
    if (splitter.hasAudio && conversationId !== undefined) return { conversationId, reference }
    await media.remove(reference)
    return undefined
  } finally {
    await rm(file, { force: true })
  }
}

/** Tells the audio from the rest of the JSON text: base64 has no quotes and no escapes, so its string ends at a quote. */
class AudioSplitter {
  #rest = ''
  #state: 'before' | 'inside' | 'after' = 'before'
  #carry = ''

  get hasAudio(): boolean {
    return this.#state === 'after'
  }

  async *audio(file: string): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
      const bytes = this.#take(chunk as Buffer)
      if (bytes.length > 0) yield bytes
    }
    if (this.#carry !== '') yield Buffer.from(this.#carry, 'base64')
  }

  /** The conversation named in what is left of the text without its audio. */
  conversationId(): string | undefined {
    try {
      const { data } = JSON.parse(this.#rest) as { data?: { conversation_id?: unknown } }
      const id = data?.conversation_id
      return typeof id === 'string' && id !== '' ? id : undefined
    } catch {
      return undefined
    }
  }

  #take(chunk: Buffer): Buffer {
    if (this.#state === 'inside') return this.#takeAudio(chunk)
    this.#rest += chunk.toString('latin1')
    if (this.#rest.length > REST_CHARS_MAX + CHUNK_BYTES) throw new Error('a large delivery has no audio')
    if (this.#state === 'after') return Buffer.alloc(0)
    const opening = /"full_audio"\s*:\s*"/.exec(this.#rest)
    if (opening === null || !this.#rest.includes(AUDIO_KEY)) return Buffer.alloc(0)
    const start = opening.index + opening[0].length
    const audio = this.#rest.slice(start)
    this.#rest = this.#rest.slice(0, start)
    this.#state = 'inside'
    return this.#takeAudio(Buffer.from(audio, 'latin1'))
  }

  #takeAudio(chunk: Buffer): Buffer {
    const end = chunk.indexOf(QUOTE)
    const audio = this.#carry + chunk.toString('latin1', 0, end === -1 ? chunk.length : end)
    if (end !== -1) {
      this.#state = 'after'
      this.#rest += chunk.toString('latin1', end)
    }
    const whole = audio.length - (audio.length % BASE64_GROUP)
    this.#carry = audio.slice(whole)
    return Buffer.from(audio.slice(0, whole), 'base64')
  }
}
