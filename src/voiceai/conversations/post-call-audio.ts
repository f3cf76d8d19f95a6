import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { parseJson } from '../../json.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import { readPostCall } from './post-call-payload.ts'

const OPENING = /"full_audio"\s*:\s*"/
const QUOTE = 0x22
/** Everything of an audio delivery but the audio fits into this many characters. */
const REST_CHARS_MAX = 64 * 1024
/** Bytes read at once; the largest piece of audio in memory. */
const CHUNK_BYTES = 256 * 1024
const BASE64_GROUP = 4
const ESCAPE = /\\(?:u([0-9a-f]{4})|(\/))/gi
/** The beginning of an escape whose end is in the next piece. */
const OPEN_ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i

/** Audio of a conversation in the media store. */
export interface ConversationAudio {
  conversationId: string
  reference: string
}

/**
 * Takes the audio out of a large delivery on disk and stores it, piece by piece, without holding it in memory.
 * Undefined when it is no audio delivery; nothing is left in the store then.
 */
export async function extractAudio(media: MediaStore, file: string): Promise<ConversationAudio | undefined> {
  const splitter = new AudioSplitter()
  const reference = await media.store(Readable.from(splitter.audio(file)), 'mp3')
  const conversationId = splitter.conversationId()
  if (conversationId !== undefined) return { conversationId, reference }
  await media.remove(reference)
  return undefined
}

/** Tells the audio from the rest of the JSON text: base64 has no quotes, so its string ends at the next one. */
class AudioSplitter {
  #rest = ''
  #state: 'before' | 'inside' | 'after' = 'before'
  #carry = ''
  #bytes = 0

  async *audio(file: string): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
      const bytes = this.#split(chunk as Buffer)
      this.#bytes += bytes.length
      if (bytes.length > 0) yield bytes
      if (this.#rest.length > REST_CHARS_MAX) return
    }
    const last = Buffer.from(this.#carry, 'base64')
    this.#bytes += last.length
    if (last.length > 0) yield last
  }

  /**
   * The conversation named in what is left of the text without its audio; undefined when it is no audio delivery, or one
   * without a sound, which must not stand in the way of a later one.
   */
  conversationId(): string | undefined {
    if (this.#state !== 'after' || this.#bytes === 0) return undefined
    const postCall = readPostCall(parseJson(this.#rest))
    return postCall?.kind === 'audio' ? postCall.conversationId : undefined
  }

  #split(chunk: Buffer): Buffer {
    if (this.#state === 'inside') return this.#decode(chunk)
    this.#rest += chunk.toString('latin1')
    const opening = this.#state === 'before' ? OPENING.exec(this.#rest) : null
    if (opening === null) return Buffer.alloc(0)
    const start = opening.index + opening[0].length
    const audio = this.#rest.slice(start)
    this.#rest = this.#rest.slice(0, start)
    this.#state = 'inside'
    return this.#decode(Buffer.from(audio, 'latin1'))
  }

  #decode(chunk: Buffer): Buffer {
    const end = chunk.indexOf(QUOTE)
    const text = this.#carry + chunk.toString('latin1', 0, end === -1 ? chunk.length : end)
    if (end !== -1) {
      this.#state = 'after'
      this.#rest += chunk.toString('latin1', end)
    }
    const { audio, open } = text.includes('\\') ? readEscapes(text) : { audio: text, open: '' }
    const whole = audio.length - (audio.length % BASE64_GROUP)
    this.#carry = audio.slice(whole) + open
    return Buffer.from(audio.slice(0, whole), 'base64')
  }
}

/** Some encoders of JSON escape the slash or the plus of base64. */
function readEscapes(text: string): { audio: string; open: string } {
  const open = OPEN_ESCAPE.exec(text)?.[0] ?? ''
  const audio = text
    .slice(0, text.length - open.length)
    .replaceAll(ESCAPE, (_whole, code: string | undefined) =>
      code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16)),
    )
  return { audio, open }
}
