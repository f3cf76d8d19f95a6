import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPostCall } from '../../../src/voiceai/conversations/post-call-payload.ts'
import { LargePostCalls, LOOP_BYTES_MAX } from '../../../src/voiceai/conversations/read-large-post-call.ts'
import {
  aConversationId,
  aFailure,
  anAudio,
  aTranscript,
  callOf,
  deliver,
  recordingsOf,
  useSecret,
} from '../../fixtures/post-call.ts'
import { TestApp } from '../../support/test-app.ts'

const LONG = 'ä "quoted" word, and '.repeat(15_000)

describe('a large delivery, read in a thread', () => {
  const large = new LargePostCalls()

  it('a large delivery is read in a thread as a small one is, from memory and from a file', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'connect-large-'))
    const file = path.join(folder, 'delivery.json')
    for (const body of [aTranscript({ data: { transcript: [{ role: 'user', message: LONG }] } }), aFailure('conv_1')]) {
      const bytes = Buffer.from(JSON.stringify(body))
      writeFileSync(file, bytes)
      const postCall = readPostCall(body)
      expect(await Promise.all([large.read({ bytes }), large.read({ file })])).toEqual([
        { postCall, sound: undefined },
        { postCall, sound: undefined },
      ])
    }
    rmSync(folder, { recursive: true })
  })

  it('gives the sound of an audio delivery, decoded', async () => {
    const sound = Buffer.from([0xff, 0xfb, 1, 2, 3])
    const { postCall, sound: read } = await large.read({ bytes: Buffer.from(JSON.stringify(anAudio('conv_2', sound))) })
    expect(postCall).toEqual({ kind: 'audio', conversationId: 'conv_2', audio: undefined })
    expect(Buffer.from(read ?? [])).toEqual(sound)
  })

  it.each([
    ['no JSON', '{"data":'],
    ['no object', '[1]'],
    ['nesting that no delivery has', `{"data":${'['.repeat(2_000)}${']'.repeat(2_000)}}`],
  ])('a large delivery of %s is nothing', async (_what, text) => {
    expect(await large.read({ bytes: Buffer.from(text) })).toEqual({ postCall: undefined, sound: undefined })
  })

  it('a large delivery that cannot be opened fails alone; the next one is read', async () => {
    const lost = large.read({ file: '/nowhere/at/all.json' })
    const next = large.read({ bytes: Buffer.from('{"type":"later"}') })
    await expect(lost).rejects.toThrow('ENOENT')
    expect(await next).toMatchObject({ postCall: { kind: 'unknown', type: 'later' } })
  })
})

describe('a large delivery, signed and sent', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await TestApp.start()
    await useSecret(app)
  })
  afterAll(() => app.stop())

  it('a large delivery becomes its call and its transcript, and a repeat becomes nothing', async () => {
    const conversationId = aConversationId()
    const body = aTranscript({ conversationId, data: { transcript: [{ role: 'user', message: LONG }] } })
    expect(JSON.stringify(body).length).toBeGreaterThan(LOOP_BYTES_MAX)
    for (let times = 0; times < 2; times += 1) expect(await deliver(app, body)).toMatchObject({ status: 200, text: '' })
    expect(await callOf(app, conversationId)).toMatchObject({ voiceai_conversation_id: conversationId })
    const recordings = await recordingsOf(app, conversationId)
    expect(recordings.map((each) => each.voiceai_transcript)).toEqual([`user: ${LONG.trim()}`])
  })
})
