// Small sound files that players accept. The words that were "spoken" travel inside, so that a test can hear them.

/** Nobody waits for a longer download. */
const SECONDS_MAX = 600
const SAMPLES_PER_SECOND = 8_000
const TONE_HZ = 440
const LOUDNESS = 24
const SILENCE = 128

/** A frame of MPEG 2.5 layer III, 8 kbit/s, 8 kHz, mono, 72 ms: its header, and its length. */
const MP3_HEADER = [0xff, 0xe3, 0x18, 0xc4]
const MP3_FRAME_BYTES = 72
const MP3_FRAME_SECONDS = 0.072
const UTF8 = 3
const BYTE_BITS = 8
/** Pairs of lines of 6.9 Hz below the tone: it is at 417 Hz. */
const TONE_PAIRS = 30

export interface Sound {
  readonly seconds: number
  readonly words: string
}

/** A wave file with a tone of that length; the words are its comment. */
export function waveFile({ seconds, words }: Sound): Buffer {
  const samples = Buffer.alloc(Math.round(clamp(seconds) * SAMPLES_PER_SECOND))
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = SILENCE + Math.round(LOUDNESS * Math.sin((2 * Math.PI * TONE_HZ * index) / SAMPLES_PER_SECOND))
  }
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(SAMPLES_PER_SECOND, 4)
  format.writeUInt32LE(SAMPLES_PER_SECOND, 8)
  format.writeUInt16LE(1, 12)
  format.writeUInt16LE(8, 14)
  const comment = Buffer.concat([Buffer.from('INFO'), chunk('ICMT', Buffer.from(`${words}\0`))])
  const content = [Buffer.from('WAVE'), chunk('fmt ', format), chunk('LIST', comment), chunk('data', samples)]
  return chunk('RIFF', Buffer.concat(content))
}

/** An mp3 file with a hum of that length, which is as loud as the letters of the words are high; the words are its title. */
export function mp3File({ seconds, words }: Sound): Buffer {
  const count = Math.max(1, Math.ceil(clamp(seconds) / MP3_FRAME_SECONDS))
  const frames = Array.from({ length: count }, (_each, at) => mp3Frame(loudnessAt(words, at / count)))
  const text = Buffer.concat([Buffer.from([UTF8]), Buffer.from(words)])
  const title = Buffer.concat([Buffer.from('TIT2'), syncSafe(text.length), Buffer.alloc(2), text])
  const tag = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0]), syncSafe(title.length), title])
  return Buffer.concat([tag, ...frames])
}

/** Below this a frame is silence; each four more are twice as loud. */
const GAIN_MIN = 184
const GAIN_STEPS = 24

/** How loud it is at that share of the words, from 0 to 1: blanks are silent. */
function loudnessAt(words: string, share: number): number {
  const letter = words.charCodeAt(Math.floor(share * words.length))
  return Number.isNaN(letter) || letter <= 0x20 ? 0 : (letter % GAIN_STEPS) / GAIN_STEPS
}

/**
 * One frame with a single tone (ISO/IEC 11172-3, 2.4.1.7, and 13818-3 for the shorter side information): 30 pairs of
 * nothing, and one with a 1 in it, in the first Huffman table.
 */
function mp3Frame(loudness: number): Buffer {
  const tone = `${'1'.repeat(TONE_PAIRS)}010`
  const field = (value: number, bits: number): string => value.toString(2).padStart(bits, '0')
  const side = [
    ...[
      field(0, 9),
      field(tone.length, 12),
      field(TONE_PAIRS + 1, 9),
      field(GAIN_MIN + Math.round(loudness * GAIN_STEPS), 8),
    ],
    ...[field(0, 10), field(1, 5), field(1, 5), field(1, 5), field(0, 9)],
  ]
  const bits = (side.join('') + tone).padEnd((MP3_FRAME_BYTES - MP3_HEADER.length) * BYTE_BITS, '0')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from([...MP3_HEADER, ...bytes.map((byte) => Number.parseInt(byte, 2))])
}

/** The words that one of our sound files carries; undefined when it carries none. */
export function wordsIn(audio: Buffer): string | undefined {
  if (audio.subarray(0, 3).equals(Buffer.from('ID3'))) {
    const start = audio.indexOf('TIT2')
    if (start === -1) return undefined
    const length = readSyncSafe(audio, start + 4)
    return audio.subarray(start + 11, start + 10 + length).toString('utf8')
  }
  const start = audio.indexOf('ICMT')
  if (start === -1) return undefined
  const length = audio.readUInt32LE(start + 4)
  return audio
    .subarray(start + 8, start + 8 + length)
    .toString('utf8')
    .replace(/\0+$/, '')
}

function clamp(seconds: number): number {
  return Math.min(Math.max(seconds, 0), SECONDS_MAX)
}

function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(name), length, content, Buffer.alloc(content.length % 2)])
}

/** Sizes in the tag use seven bits of each byte. */
function syncSafe(size: number): Buffer {
  return Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f))
}

function readSyncSafe(buffer: Buffer, at: number): number {
  return [0, 1, 2, 3].reduce((size, index) => (size << 7) | (buffer[at + index] ?? 0), 0)
}
