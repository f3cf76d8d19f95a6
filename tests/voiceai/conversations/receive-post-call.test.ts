import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Room } from '../../../src/deliveries/webhooks/unverified-bytes.ts'
import { MediaStore } from '../../../src/platform/media/media-store.ts'
import { receivePostCall } from '../../../src/voiceai/conversations/receive-post-call.ts'
import { SECRET, sign } from '../../fixtures/post-call.ts'

/** What is larger goes to the disk. */
const MEMORY_BYTES_MAX = 10 * 1024 * 1024

const PIECE_BYTES = 1024 * 1024

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'connect-receive-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function listFiles(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

function receive(
  body: Buffer,
  options: {
    header?: string
    bytesMax?: number
    media?: MediaStore
    stream?: Readable
    memory?: Room
    disk?: Room
  } = {},
) {
  const { header = sign(body), bytesMax = 64 * 1024 * 1024, media = new MediaStore(folder) } = options
  const { memory = new Room(Infinity), disk = new Room(Infinity) } = options
  const pieces = Array.from({ length: Math.ceil(body.length / PIECE_BYTES) }, (_, at) =>
    body.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES),
  )
  const arrival = {
    target: '/',
    headers: { 'voiceai-signature': header },
    body: Buffer.alloc(0),
    params: {},
    isHttps: true,
    host: 'x',
    receivedAt: new Date(),
    subject: {},
  }
  const stream = options.stream ?? Readable.from(pieces)
  return receivePostCall(stream, { arrival, secrets: [SECRET], bytesMax, media, memory: memory.share(), disk })
}

describe('receivePostCall', () => {
  it('keeps in memory what is just small enough, byte by byte', async () => {
    const body = Buffer.alloc(MEMORY_BYTES_MAX, 'ab')
    const received = await receive(body)
    if (typeof received === 'string' || !('body' in received)) throw new Error('it was spooled')
    expect(received.body.equals(body)).toBe(true)
    expect(listFiles()).toEqual([])
  })

  it('keeps on disk what is a byte larger, and knows that it is signed', async () => {
    const body = Buffer.alloc(MEMORY_BYTES_MAX + 1, 'ab')
    const received = await receive(body)
    if (typeof received === 'string' || !('spooled' in received)) throw new Error('it was not spooled')
    expect(received).toMatchObject({ spooled: { bytes: body.length }, isSigned: true })
    expect(readFileSync(received.spooled.file).equals(body)).toBe(true)
    rmSync(received.spooled.file)
  })

  it('leaves nothing of a large one that is not signed', async () => {
    const body = Buffer.alloc(MEMORY_BYTES_MAX + 1, 'ab')
    expect(await receive(body, { header: sign('other') })).toMatchObject({ isSigned: false })
    expect(listFiles()).toEqual([])
  })

  it('takes one of just the largest size, and leaves nothing of a larger one', async () => {
    const bytesMax = MEMORY_BYTES_MAX + 1_000
    const received = await receive(Buffer.alloc(bytesMax, 'a'), { bytesMax })
    if (typeof received === 'string' || !('spooled' in received)) throw new Error('it was not spooled')
    rmSync(received.spooled.file)
    expect(await receive(Buffer.alloc(bytesMax + 1, 'a'), { bytesMax })).toBe('too-large')
    expect(listFiles()).toEqual([])
  })

  it('goes to the disk where there is no room in memory, and gives its room there back', async () => {
    const body = Buffer.alloc(3 * PIECE_BYTES, 'ab')
    const memory = new Room(2 * PIECE_BYTES)
    const disk = new Room(3 * PIECE_BYTES)
    const received = await receive(body, { memory, disk })
    if (typeof received === 'string' || !('spooled' in received)) throw new Error('it was not spooled')
    expect(readFileSync(received.spooled.file).equals(body)).toBe(true)
    expect([memory.bytes, disk.bytes]).toEqual([0, 0])
    rmSync(received.spooled.file)
  })

  it('a post-call delivery is refused where strangers hold the room on disk, and leaves nothing', async () => {
    const disk = new Room(MEMORY_BYTES_MAX + 2 * PIECE_BYTES)
    const body = Buffer.alloc(MEMORY_BYTES_MAX + 3 * PIECE_BYTES, 'ab')
    expect(await receive(body, { disk })).toBe('no-room')
    expect([listFiles(), disk.bytes]).toEqual([[], 0])
  })

  it('leaves nothing when the sender goes away', async () => {
    const stream = Readable.from(
      (function* () {
        for (let at = 0; at < 12; at += 1) yield Buffer.alloc(PIECE_BYTES)
        throw new Error('aborted')
      })(),
    )
    await expect(receive(Buffer.from('x'), { stream })).rejects.toThrow('aborted')
    expect(listFiles()).toEqual([])
  })

  it('removes what a process that died in the middle has left, and nothing younger', async () => {
    const incoming = path.join(folder, 'incoming')
    for (const name of ['old.json', 'young.json']) writeFileSync(path.join(incoming, name), 'half')
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
    utimesSync(path.join(incoming, 'old.json'), hoursAgo, hoursAgo)
    await receive(Buffer.alloc(MEMORY_BYTES_MAX + 1), { header: sign('other') })
    await expect.poll(() => readdirSync(incoming)).toEqual(['young.json'])
    rmSync(path.join(incoming, 'young.json'))
  })

  it('throws when there is no place on the disk, and nothing more happens', async () => {
    const file = path.join(folder, 'a-file')
    writeFileSync(file, '')
    const body = Buffer.alloc(MEMORY_BYTES_MAX + 1)
    await expect(receive(body, { media: new MediaStore(path.join(file, 'below')) })).rejects.toThrow()
    const full = { reserve: async () => ({ file: '/dev/full', keep: async () => '', discard: async () => {} }) }
    await expect(receive(body, { media: full as unknown as MediaStore })).rejects.toThrow('ENOSPC')
    rmSync(file)
  })
})
