import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import {
  aTranscript,
  callsOf,
  digestOf,
  FIXTURES,
  readFixture,
  SECRET,
  sign,
  useSecret,
  writeAsService,
} from '../fixtures/post-call.ts'
import { POST_CALL } from '../fixtures/routes.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { type Answer, TestApp } from '../support/test-app.ts'

// docs/reference/providers.md#vectors-of-the-post-call-signature; the secret is that of the fixtures.
const V1 = {
  t: 1739537297,
  body: '{"type":"post_call_transcription","event_timestamp":1739537297,"data":{"agent_id":"agent_1","conversation_id":"conv_1","status":"done"}}',
  v0: '1052146f14cf991a52af17b7a396c5ed97e5c821fa5a925a62656fc4e2fb3baf',
}
const V2 = {
  t: 1739537300,
  body: '{"type":"post_call_transcription","data":{"transcript_summary":"Привет ☎ café"}}',
  v0: 'd36a8bed7d74632250e76e80d779d498c5474e60b572178ab6a14a78fce6e45d',
}
const V3 = { t: 1739537300, body: '', v0: '161c81fdfc61cd996bb2f437e59fb3596dc83ae31d40c69c37e184ac7c761353' }
const TOLERANCE_MS = 30 * 60 * 1_000

let app: TestApp
let now = new Date()

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  await useSecret(app)
})
beforeEach(() => {
  now = new Date()
})
afterAll(() => app.stop())

function send(body: string | Uint8Array, headers: Record<string, string>): Promise<Answer> {
  return app.post(POST_CALL, body, headers)
}

async function expectAccepted(answer: Answer): Promise<void> {
  expect(answer.status).toBe(200)
  expect(answer.text).toBe('')
}

async function expectRefused(answer: Answer): Promise<void> {
  expect(answer.status).toBe(401)
  expect(answer.body).toEqual({ error: 'Unauthorized' })
}

describe('the signed message', () => {
  it.each([
    ['V1', V1],
    ['V2', V2],
    ['V3', V3],
  ])('vector %s of the provider is accepted while it is fresh', async (_name, { t, body, v0 }) => {
    now = new Date(t * 1_000)
    await expectAccepted(await send(body, { 'voiceai-signature': `t=${t},v0=${v0}` }))
    await expectRefused(await send(`${body} `, { 'voiceai-signature': `t=${t},v0=${v0}` }))
    await expectRefused(await send(body, { 'voiceai-signature': `t=${t + 1},v0=${v0}` }))
  })

  it.each(FIXTURES)("our signing of %s is what the provider's own SDK accepts", async (name) => {
    // The SDK is heavy, so it is only loaded here, as it is in the service.
    const { ElevenLabsClient } = await import('@elevenlabs/elevenlabs-js')
    const client = new ElevenLabsClient({ apiKey: 'unused' })
    const body = readFixture(name)
    const header = sign(body)
    expect(await client.webhooks.constructEvent(body, header, SECRET)).toEqual(JSON.parse(body))
    await expect(client.webhooks.constructEvent(body, header, `${SECRET}x`)).rejects.toThrow()
    await expectAccepted(await send(body, { 'voiceai-signature': header }))
  })

  it('the key is the text of the secret and the digest lower-case hex', async () => {
    const { body } = V2
    const t = String(Math.floor(now.getTime() / 1_000))
    const digest = digestOf(body, SECRET, t)
    await expectRefused(await send(body, { 'voiceai-signature': `t=${t},v0=${digest.toUpperCase()}` }))
    const decoded = Buffer.from(SECRET, 'base64').toString('latin1')
    await expectRefused(await send(body, { 'voiceai-signature': `t=${t},v0=${digestOf(body, decoded, t)}` }))
    await expectAccepted(await send(body, { 'voiceai-signature': `t=${t},v0=${digest}` }))
  })

  it('the bytes are signed as they were sent, whatever they are', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x80, 0x7d])
    await expectAccepted(await send(bytes, { 'voiceai-signature': sign(bytes) }))
    await expectRefused(await send(bytes, { 'voiceai-signature': sign(bytes.toString('utf8')) }))
  })
})

describe('the header', () => {
  const body = '{"type":"other"}'
  const t = () => String(Math.floor(now.getTime() / 1_000))
  const right = () => digestOf(body, SECRET, t())
  const wrong = 'f'.repeat(64)

  it.each<[string, () => string]>([
    ['pairs in any order', () => `v0=${right()},t=${t()}`],
    ['spaces after the comma', () => `t=${t()}, v0=${right()}`],
    ['several v0, the right one last', () => `t=${t()},v0=${wrong},v0=${right()}`],
    ['several v0, the right one first', () => `t=${t()},v0=${right()},v0=${wrong}`],
    ['pairs of later versions', () => `t=${t()},v1=abc,v0=${right()},x`],
  ])('accepts %s', async (_what, header) => {
    await expectAccepted(await send(body, { 'voiceai-signature': header() }))
  })

  it("the header is also read under the provider's own name", async () => {
    await expectAccepted(await send(body, { 'elevenlabs-signature': `t=${t()},v0=${right()}` }))
    await expectAccepted(
      await send(body, { 'ElevenLabs-Signature': `t=${t()},v0=${right()}`, 'voiceai-signature': '' }),
    )
    await expectRefused(await send(body, { 'elevenlabs-signature': `t=${t()},v0=${wrong}` }))
  })

  it.each<[string, () => string | undefined]>([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['blank', () => ' '],
    ['one part only, the time', () => `t=${t()}`],
    ['one part only, the digest', () => `v0=${right()}`],
    ['without names', () => `${t()},${right()}`],
    ['an empty time', () => `t=,v0=${right()}`],
    ['a time that is no number', () => `t=now,v0=${right()}`],
    ['a time with a fraction', () => `t=${t()}.0,v0=${digestOf(body, SECRET, `${t()}.0`)}`],
    ['a negative time', () => `t=-1,v0=${digestOf(body, SECRET, '-1')}`],
    ['NaN for a time', () => `t=NaN,v0=${digestOf(body, SECRET, 'NaN')}`],
    ['two times', () => `t=${t()},t=${t()},v0=${right()}`],
    ['a short digest', () => `t=${t()},v0=${right().slice(1)}`],
    ['a long digest', () => `t=${t()},v0=${right()}00`],
    ['an empty digest', () => `t=${t()},v0=`],
    ['a digest that is no hex', () => `t=${t()},v0=${'g'.repeat(64)}`],
    ['another digest', () => `t=${t()},v0=${wrong}`],
    ['the digest of an empty secret', () => `t=${t()},v0=${digestOf(body, '', t())}`],
    ['the digest of the body alone', () => `t=${t()},v0=${digestOf(body, SECRET, '')}`],
    ['a v1 only', () => `t=${t()},v1=${right()}`],
    ['semicolons', () => `t=${t()};v0=${right()}`],
    ['very long', () => `t=${t()},v0=${right()},${'x=y,'.repeat(1_000)}`],
  ])('7 refuses one that is %s, and writes nothing', async (_what, header) => {
    const before = await countRows(app)
    const value = header()
    const transcript = JSON.stringify(aTranscript({ conversationId: 'conv_refused' }))
    await expectRefused(await send(body, value === undefined ? {} : { 'voiceai-signature': value }))
    await expectRefused(await send(transcript, value === undefined ? {} : { 'voiceai-signature': value }))
    expect(await countRows(app)).toEqual(before)
    expect(await callsOf(app, 'conv_refused')).toEqual([])
  })

  it('7 a right signature of another body is refused', async () => {
    const before = await countRows(app)
    const signature = sign(JSON.stringify(aTranscript()))
    await expectRefused(await send(JSON.stringify(aTranscript()), { 'voiceai-signature': signature }))
    expect(await countRows(app)).toEqual(before)
  })

  it('the agent token opens nothing here, and no token is needed', async () => {
    await expectRefused(await send(body, { 'x-voiceai-agent-token': app.token }))
    await expectAccepted(await send(body, { 'voiceai-signature': sign(body) }))
  })
})

describe('and 8 the tolerance of 30 minutes', () => {
  it.each<[string, number, boolean]>([
    ['just signed', 0, true],
    ['exactly 30 minutes old', TOLERANCE_MS, true],
    ['30 minutes old, less than a second ago', TOLERANCE_MS + 999, true],
    ['30 minutes and a second old', TOLERANCE_MS + 1_000, false],
    ['a day old', 86_400_000, false],
    ['exactly 30 minutes ahead', -TOLERANCE_MS, true],
    ['30 minutes and a millisecond ahead', -TOLERANCE_MS - 1, false],
  ])('a delivery %s', async (_when, ageMs, isAccepted) => {
    now = new Date(V1.t * 1_000 + ageMs)
    const before = await countRows(app)
    const answer = await send(V1.body, { 'voiceai-signature': `t=${V1.t},v0=${V1.v0}` })
    if (isAccepted) await expectAccepted(answer)
    else {
      await expectRefused(answer)
      expect(await countRows(app)).toEqual(before)
    }
  })
})

describe('the secret', () => {
  const body = '{"type":"other"}'

  it('a missing one is 401 with the message that says what to do, and nothing is written', async () => {
    await useSecret(app, null)
    try {
      const before = await countRows(app)
      const transcript = JSON.stringify(aTranscript())
      for (const header of [sign(transcript), sign(transcript, { secret: '' }), 'nonsense', undefined]) {
        const answer = await send(transcript, header === undefined ? {} : { 'voiceai-signature': header })
        expect(answer.status).toBe(401)
        expect(answer.body).toEqual({
          error: 'Unauthorized',
          message: 'no webhook secret configured; run voice-agent sync',
        })
      }
      expect(await countRows(app)).toEqual(before)
      await app.app.deliveries.drained()
      const [logged] = await app.db.query<{ reason: string; verdict: string }>(
        sql`select reason, verdict from connect_delivery order by id desc limit 1`,
      )
      expect(logged).toEqual({ verdict: 'rejected', reason: 'no webhook secret configured; run voice-agent sync' })
    } finally {
      await useSecret(app)
    }
  })

  it('a secret that was pasted with blanks around it is the secret', async () => {
    await useSecret(app, ` ${SECRET}\n`)
    await expectAccepted(await send(body, { 'voiceai-signature': sign(body) }))
    await useSecret(app)
  })

  it('while the secret rotates, the old and the new one are accepted, and then the new one only', async () => {
    const fresh = 'wsec_fresh'
    await writeAsService(app, {
      voiceai_post_call_webhook_secret: fresh,
      voiceai_post_call_webhook_previous_secret: SECRET,
    })
    await expectAccepted(await send(body, { 'voiceai-signature': sign(body) }))
    await expectAccepted(await send(body, { 'voiceai-signature': sign(body, { secret: fresh }) }))
    await writeAsService(app, { voiceai_post_call_webhook_previous_secret: null })
    await expectRefused(await send(body, { 'voiceai-signature': sign(body) }))
    await expectAccepted(await send(body, { 'voiceai-signature': sign(body, { secret: fresh }) }))
    await useSecret(app)
  })
})
