// Small sound files that players accept. The words that were "spoken" travel inside, so that a test can hear them.

/** Nobody waits for a longer download. */
const SECONDS_MAX = 600
const SAMPLES_PER_SECOND = 8_000
const TONE_HZ = 440
const LOUDNESS = 24
const SILENCE = 128

/** One frame of silence: MPEG 2.5 layer III, 8 kbit/s, 8 kHz, mono, 72 ms. */
const MP3_FRAME = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc4]), Buffer.alloc(68)])
const MP3_FRAME_SECONDS = 0.072
const UTF8 = 3

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

/** An mp3 file with silence of that length; the words are its title. */
export function mp3File({ seconds, words }: Sound): Buffer {
  const frames = Array<Buffer>(Math.max(1, Math.ceil(clamp(seconds) / MP3_FRAME_SECONDS))).fill(MP3_FRAME)
  const text = Buffer.concat([Buffer.from([UTF8]), Buffer.from(words)])
  const title = Buffer.concat([Buffer.from('TIT2'), syncSafe(text.length), Buffer.alloc(2), text])
  const tag = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0]), syncSafe(title.length), title])
  return Buffer.concat([tag, ...frames])
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
