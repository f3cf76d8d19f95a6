import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import {
  aConversationId,
  anAudio,
  aTranscript,
  callOf,
  callsOf,
  deliver,
  recordingsOf,
  SECRET,
  sign,
  useSecret,
} from '../fixtures/post-call.ts'
import { POST_CALL } from '../fixtures/routes.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { type Answer, eventually, TestApp } from '../support/test-app.ts'

const MIB = 1024 * 1024
/** Larger than what is taken into memory, once it is base64. */
const LARGE_BYTES = 8 * MIB
const CHUNK_BYTES = 64 * 1024
/** All garbage is collected before each look at the memory in use. */
const PIECES_BETWEEN_LOOKS = 100

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await useSecret(app)
})
afterAll(() => app.stop())

/** Files of the media store, the ones still on their way included. */
function listFiles(folder = app.config.mediaDir): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

async function storedAudio(conversationId: string): Promise<Buffer> {
  const rows = await app.db.query<{ media_ref: string }>(
    sql`select media_ref from connect_recording where sid = ${conversationId}`,
  )
  expect(rows).toHaveLength(1)
  return readFileSync(path.join(app.config.mediaDir, rows[0]?.media_ref ?? ''))
}

/** Sends a body as the platform sends audio: in chunks, without saying how long it is. */
function deliverChunked(body: string, signature: string | undefined = sign(body)): Promise<Answer> {
  const bytes = Buffer.from(body)
  const chunks = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
  }
  const headers = { 'content-type': 'application/json', ...(signature && { 'voiceai-signature': signature }) }
  return app.request(POST_CALL, { method: 'POST', headers, body: Readable.from(chunks()) })
}

function expectEmpty(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([200, ''])
}

describe('post_call_audio', () => {
  it("post_call_audio that is small is kept as the recording's audio, byte by byte", async () => {
    const [conversationId, audio] = [aConversationId(), randomBytes(5_001)]
    expectEmpty(await deliver(app, anAudio(conversationId, audio)))
    expect(await storedAudio(conversationId)).toEqual(audio)
    expect(await recordingsOf(app, conversationId)).toMatchObject([
      {
        media_type: 'audio/mpeg',
        recording_filename: `${conversationId}.mp3`,
        status: 'completed',
        source: 'voiceai',
        call: null,
      },
    ])
  })

  it.each(['', '!!!'])(
    'without a sound (%j) leaves nothing, and the way open for one that comes later',
    async (silence) => {
      const [conversationId, audio] = [aConversationId(), randomBytes(100)]
      const files = listFiles()
      const padding = ' '.repeat(LARGE_BYTES)
      for (const space of ['', padding]) {
        const body = `{"type":"post_call_audio",${space}"data":{"conversation_id":"${conversationId}","full_audio":"${silence}"}}`
        expectEmpty(await deliverChunked(body))
      }
      expect(await recordingsOf(app, conversationId)).toEqual([])
      expect(listFiles()).toEqual(files)
      expectEmpty(await deliver(app, anAudio(conversationId, audio)))
      expect(await storedAudio(conversationId)).toEqual(audio)
    },
  )

  it('post_call_audio that is large is kept as well, whatever its length', async () => {
    for (const more of [1, 2]) {
      const [conversationId, audio] = [aConversationId(), randomBytes(LARGE_BYTES + more)]
      expectEmpty(await deliverChunked(JSON.stringify(anAudio(conversationId, audio))))
      expect((await storedAudio(conversationId)).equals(audio)).toBe(true)
    }
    expect(listFiles(path.join(app.config.mediaDir, 'incoming'))).toEqual([])
  })

  it.each<[string, (conversationId: string, audio: string) => string]>([
    [
      'with its keys in another order',
      (id, audio) => `{"data":{"full_audio":"${audio}","conversation_id":"${id}"},"type":"post_call_audio"}`,
    ],
    [
      'with spaces',
      (id, audio) =>
        `{ "type" : "post_call_audio",\n "data" : {\n "conversation_id" : "${id}",\n "full_audio" \n:\n "${audio}" } }\n`,
    ],
    [
      'with escaped slashes',
      (id, audio) =>
        `{"type":"post_call_audio","data":{"conversation_id":"${id}","full_audio":"${audio.replaceAll('/', '\\/')}"}}`,
    ],
    [
      'with escaped signs',
      (id, audio) =>
        `{"type":"post_call_audio","data":{"conversation_id":"${id}","full_audio":"${audio.replaceAll('+', '\\u002b').replaceAll('=', '\\u003D')}"}}`,
    ],
  ])('written %s is the same, small or large', async (_how, write) => {
    for (const bytes of [10_000, LARGE_BYTES + 1]) {
      const [conversationId, audio] = [aConversationId(), randomBytes(bytes)]
      expectEmpty(await deliverChunked(write(conversationId, audio.toString('base64'))))
      expect((await storedAudio(conversationId)).equals(audio)).toBe(true)
    }
  })

  it('post_call_audio of a quarter of an hour is received without holding it in memory', async () => {
    const conversationId = aConversationId()
    const piece = randomBytes(48 * 1024)
    const pieces = 500
    const before = liveBytes()
    let peakBytes = 0
    const status = await sendPieces(conversationId, { piece: piece.toString('base64'), pieces }, (sent) => {
      if (sent % PIECES_BETWEEN_LOOKS === 0) peakBytes = Math.max(peakBytes, liveBytes() - before)
    })
    expect(status).toBe(200)
    const wanted = createHash('sha256')
    for (let at = 0; at < pieces; at += 1) wanted.update(piece)
    const stored = await storedAudio(conversationId)
    expect(stored.length).toBe(piece.length * pieces)
    expect(createHash('sha256').update(stored).digest('hex')).toBe(wanted.digest('hex'))
    // 32 MiB went by, the first 10 of which were held until it was clear that there are more.
    expect(peakBytes).toBeLessThan(25 * MIB)
  })

  it('post_call_audio that comes again leaves no second copy', async () => {
    const large = JSON.stringify(anAudio(aConversationId(), randomBytes(LARGE_BYTES)))
    const small = JSON.stringify(anAudio(aConversationId(), randomBytes(100)))
    for (const body of [small, large]) expectEmpty(await deliverChunked(body))
    const before = listFiles()
    for (const body of [small, large, small]) expectEmpty(await deliverChunked(body))
    expect(listFiles().toSorted()).toEqual(before.toSorted())
  })

  it('joins the recording of its transcript, whichever comes first', async () => {
    for (const isAudioFirst of [true, false]) {
      const [conversationId, audio] = [aConversationId(), randomBytes(999)]
      const bodies = [anAudio(conversationId, audio), aTranscript({ conversationId })]
      for (const body of isAudioFirst ? bodies : bodies.toReversed()) expectEmpty(await deliver(app, body))
      const { id } = await callOf(app, conversationId)
      const [recording] = await recordingsOf(app, conversationId)
      expect(recording).toMatchObject({
        call: [id, expect.any(String)],
        media_type: 'audio/mpeg',
        duration: 50,
        caller_number: '+14155550100',
      })
      expect(recording?.voiceai_transcript).toContain('heating')
      expect(await storedAudio(conversationId)).toEqual(audio)
    }
  })

  it.each([
    ['no audio', { conversation_id: 'conv_no_audio' }],
    ['audio that is no text', { conversation_id: 'conv_no_audio', full_audio: 7 }],
    ['no conversation', { full_audio: 'SUQz' }],
  ])('post_call_audio with %s is acknowledged and nothing is kept', async (_what, data) => {
    const [before, files] = [await countRows(app), listFiles()]
    expectEmpty(await deliver(app, { type: 'post_call_audio', data }))
    expect(await countRows(app)).toEqual(before)
    expect(listFiles()).toEqual(files)
  })
})

describe('a large body that is not signed leaves nothing behind', () => {
  const large = JSON.stringify(anAudio('conv_forged', Buffer.alloc(LARGE_BYTES, 7)))

  it.each<[string, () => string | undefined]>([
    ['without a signature', () => ''],
    ['with one of another body', () => sign('{}')],
    ['with one that is too old', () => sign(large, { at: new Date(Date.now() - 3_600_000) })],
    ['with one of another secret', () => sign(large, { secret: 'other' })],
    ['with nonsense for one', () => 't=1'],
  ])('%s', async (_what, signature) => {
    const [before, files] = [await countRows(app), listFiles()]
    const answer = await deliverChunked(large, signature())
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ error: 'Unauthorized' })
    expect(await countRows(app)).toEqual(before)
    expect(listFiles()).toEqual(files)
  })

  it('nor does one that breaks off in the middle', async () => {
    const files = listFiles()
    await new Promise<void>((resolve) => {
      const headers = { 'voiceai-signature': sign(large), 'content-length': String(large.length) }
      const sent = request(app.url + POST_CALL, { method: 'POST', headers })
      sent.on('error', () => resolve())
      sent.write(large.slice(0, -1_000), () => setTimeout(() => sent.destroy(), 100))
    })
    await eventually(async () => listFiles().length === files.length)
    expect((await app.tool('/connect_voiceai/get_current_date')).status).toBe(200)
  })
})

describe('a transcript that is too large for memory', () => {
  it('a transcript that is too large for memory is a call like any other', async () => {
    const conversationId = aConversationId()
    const transcript = Array.from({ length: 3_000 }, (_, at) => ({
      role: 'agent',
      message: `turn ${at}`,
      tool_results: [{ result_value: `"full_audio": ${'x'.repeat(4_000)}` }],
    }))
    const body = JSON.stringify(aTranscript({ conversationId, data: { transcript } }))
    expect(body.length).toBeGreaterThan(11 * MIB)
    expectEmpty(await deliverChunked(body))
    expect(await callsOf(app, conversationId)).toHaveLength(1)
    const [recording] = await recordingsOf(app, conversationId)
    expect(recording?.voiceai_transcript).toMatch(/^agent: turn 0\nagent: turn 1\n.*agent: turn 2999$/s)
    expect(listFiles(path.join(app.config.mediaDir, 'incoming'))).toEqual([])
  })
})

/** Sends one audio delivery piece by piece, never holding the whole of it. */
function sendPieces(
  conversationId: string,
  { piece, pieces }: { piece: string; pieces: number },
  onSent: (pieces: number) => void,
): Promise<number | undefined> {
  const head = `{"type":"post_call_audio","data":{"conversation_id":"${conversationId}","full_audio":"`
  const parts = function* (): Generator<string> {
    yield head
    for (let at = 0; at < pieces; at += 1) yield piece
    yield '"}}'
  }
  const t = String(Math.floor(Date.now() / 1_000))
  const hmac = createHmac('sha256', SECRET).update(`${t}.`)
  for (const part of parts()) hmac.update(part)
  const signature = `t=${t},v0=${hmac.digest('hex')}`
  return new Promise((resolve, reject) => {
    const sent = request(
      app.url + POST_CALL,
      { method: 'POST', headers: { 'voiceai-signature': signature } },
      (reply) => {
        reply.resume()
        resolve(reply.statusCode)
      },
    )
    sent.on('error', reject)
    const iterator = parts()
    let count = 0
    const next = (): void => {
      for (;;) {
        const { value, done } = iterator.next()
        if (done === true) return void sent.end()
        count += 1
        onSent(count)
        if (!sent.write(value)) return void sent.once('drain', next)
      }
    }
    next()
  })
}

/** Bytes in use once everything that nobody holds any more is gone. */
function liveBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
