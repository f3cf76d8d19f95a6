import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { MediaStore } from '../../../src/platform/media/media-store.ts'
import { AUDIO, FakeTelco, refusal } from '../../support/fake-telco.ts'
import { insertRow } from '../../support/rows.ts'
import { setUpTelco } from '../../support/telco.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const OWN = Buffer.from('our own copy of the audio')
const RECORDING = 'RE00000000000000000000000000000001'

let fake: FakeTelco
let app: TestApp
let mine: Caller
let other: Caller
/** Recordings of `mine`: at the provider, in our store, and without audio; and a call with a voicemail. */
let proxied: number
let stored: number
let silent: number
let call: number

beforeAll(async () => {
  fake = await FakeTelco.start()
  app = await TestApp.start({ env: { TELCO_BASE_URL: fake.url } })
  await setUpTelco(app)
  mine = await app.person([GROUP.internal, GROUP.connectUser])
  other = await app.person([GROUP.internal, GROUP.connectUser])
  const reference = await new MediaStore(app.config.mediaDir).store(Readable.from([OWN]), 'mp3')
  const url = fake.recordingUrl(RECORDING)
  proxied = await aRecording({ url, reference: null })
  stored = await aRecording({ url, reference })
  silent = await aRecording({ url: null, reference: null })
  const [row] = await app.db.query<{ id: number }>(
    sql`insert into connect_call (status, caller_user, voicemail_url) values ('completed', ${mine.userId}::bigint, ${url}) returning id`,
  )
  call = row?.id ?? 0
  await insertRow(app.db, 'connect_channel', { sid: 'CAvoicemail', call })
  await insertRow(app.db, 'connect_voicemail', { sid: 'REvoicemail', call_sid: 'CAvoicemail', call, url, duration: 3 })
})
afterAll(async () => {
  await app.stop()
  await fake.stop()
})
beforeEach(() => fake.reset())

async function aRecording({ url, reference }: { url: string | null; reference: string | null }): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(
    sql`insert into connect_recording (media_url, media_ref, media_type, caller_user)
        values (${url}, ${reference}, 'audio/mpeg', ${mine.userId}::bigint) returning id`,
  )
  return row?.id ?? 0
}

async function get(path: string, caller: Caller | 'nobody' = mine, init: RequestInit = {}) {
  const authorization = caller === 'nobody' ? {} : { authorization: `bearer ${caller.key}` }
  const reply = await fetch(app.url + path, { ...init, headers: { ...authorization, ...(init.headers as object) } })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

describe('our own copy', () => {
  it('our own copy is served whole, to be kept by this browser for ten minutes', async () => {
    const { status, headers, bytes } = await get(`/connect/recording/${stored}`)
    expect([status, bytes]).toEqual([200, OWN])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(OWN.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=600',
      'x-content-type-options': 'nosniff',
    })
    expect(fake.requests).toEqual([])
  })

  it.each([
    ['bytes=0-3', 206, `bytes 0-3/${OWN.length}`, OWN.subarray(0, 4)],
    ['bytes=4-', 206, `bytes 4-${OWN.length - 1}/${OWN.length}`, OWN.subarray(4)],
    ['bytes=-5', 206, `bytes ${OWN.length - 5}-${OWN.length - 1}/${OWN.length}`, OWN.subarray(-5)],
    ['bytes=0-9999', 206, `bytes 0-${OWN.length - 1}/${OWN.length}`, OWN],
    ['bytes=-9999', 206, `bytes 0-${OWN.length - 1}/${OWN.length}`, OWN],
    ['bytes=9999-', 416, `bytes */${OWN.length}`, Buffer.alloc(0)],
    ['bytes=-0', 416, `bytes */${OWN.length}`, Buffer.alloc(0)],
    ['bytes=3-1', 200, null, OWN],
    ['bytes=0-1,3-4', 200, null, OWN],
    ['lines=0-1', 200, null, OWN],
  ])('our own copy of which %s is asked answers %i', async (range, status, contentRange, bytes) => {
    const answer = await get(`/connect/recording/${stored}`, mine, { headers: { range } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-range')).toBe(contentRange)
    expect(answer.bytes).toEqual(bytes)
  })

  it('says its length to who asks for that only', async () => {
    const { status, headers, bytes } = await get(`/connect/recording/${stored}`, mine, { method: 'HEAD' })
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, String(OWN.length), 0])
  })
})

describe("the provider's audio", () => {
  it("the provider's audio is passed on with our credentials, of which the listener sees nothing", async () => {
    const { status, headers, bytes } = await get(`/connect/recording/${proxied}`)
    expect([status, bytes]).toEqual([200, AUDIO])
    expect(headers.get('content-type')).toBe('audio/mpeg')
    expect(fake.requests[0]?.headers.authorization).toMatch(/^Basic /)
    expect(JSON.stringify([...headers])).not.toContain('twilio')
  })

  it("the provider's audio is passed on in parts", async () => {
    const answer = await get(`/connect/recording/${proxied}`, mine, { headers: { range: 'bytes=10-19' } })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, 'bytes 10-19/1000'])
    expect(answer.bytes).toEqual(AUDIO.subarray(10, 20))
    const beyond = await get(`/connect/recording/${proxied}`, mine, { headers: { range: 'bytes=5000-' } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000'])
  })

  it('says its length to who asks for that only', async () => {
    const { status, headers } = await get(`/connect/recording/${proxied}`, mine, { method: 'HEAD' })
    expect([status, headers.get('content-length')]).toEqual([200, '1000'])
    expect(fake.requests[0]?.method).toBe('HEAD')
  })

  it("the provider's audio is fetched from the address that the provider reported, and from no other", async () => {
    const elsewhere = fake.recordingUrl('RE00000000000000000000000000000099')
    const faked = await insertRow(app.db, 'connect_call', { caller_user: mine.userId, voicemail_url: elsewhere })
    await insertRow(app.db, 'connect_channel', { sid: 'CAfaked', call: faked })
    await insertRow(app.db, 'connect_voicemail', { sid: 'REfaked', call_sid: 'CAother', url: elsewhere, duration: 3 })
    expect((await get(`/connect/voicemail/${faked}`)).status).toBe(404)
    expect(fake.requests).toEqual([])
  })

  it("the provider's audio is a voicemail by its own id, read like a recording by who may see the call", async () => {
    const search = (caller: Caller) =>
      caller.ask<Record<string, unknown>[]>('connect.voicemail', 'search_read', { domain: [['call', '=', call]] })
    const [voicemail] = await search(mine)
    const id = Number(voicemail?.id)
    expect(voicemail).toMatchObject({ call: [call, expect.any(String)], duration: 3, call_sid: 'CAvoicemail' })
    expect(voicemail?.recording_widget).toContain(`/connect/voicemails/${id}`)
    expect(voicemail).not.toHaveProperty('url')
    expect((await get(`/connect/voicemails/${id}`)).bytes).toEqual(AUDIO)
    expect(await search(other)).toEqual([])
    expect((await get(`/connect/voicemails/${id}`, other)).status).toBe(404)
    expect((await get(`/connect/voicemails/${id}`, 'nobody')).status).toBe(401)
    expect((await mine.call('connect.voicemail', 'unlink', { ids: [id] })).status).toBe(403)
  })

  it("the provider's audio is a voicemail for who may see the call", async () => {
    expect((await get(`/connect/voicemail/${call}`)).bytes).toEqual(AUDIO)
    expect((await get(`/connect/voicemail/${call}`, other)).status).toBe(404)
  })

  it("the provider's audio that is gone is not there; a provider that fails is said to", async () => {
    fake.on('GET', /mp3/, refusal(404, 20404, 'gone'))
    expect((await get(`/connect/recording/${proxied}`)).status).toBe(404)
    fake.on('GET', /mp3/, { status: 500, body: 'busy' })
    const failed = await get(`/connect/recording/${proxied}`)
    expect(failed.status).toBe(503)
    expect(JSON.parse(failed.bytes.toString()).context.code).toBe('audio-cannot-fetched-from-phone-provider')
    expect(failed.bytes.toString()).not.toContain('twilio')
  })

  it("the provider's audio that our credentials do not open says so", async () => {
    fake.on('GET', /mp3/, refusal(401, 20003, 'Authenticate'))
    const failed = await get(`/connect/recording/${proxied}`)
    expect(failed.status).toBe(503)
    expect(JSON.parse(failed.bytes.toString()).context.code).toBe('phone-credentials-refused')
  })

  it("the provider's audio at an address of somebody else is not fetched", async () => {
    const foreign = await aRecording({ url: 'https://evil.example/audio.mp3', reference: null })
    expect((await get(`/connect/recording/${foreign}`)).status).toBe(404)
    expect(fake.requests).toEqual([])
  })
})

describe('audio is not for', () => {
  it('somebody who has not signed in', async () => {
    expect((await get(`/connect/recording/${stored}`, 'nobody')).status).toBe(401)
  })

  it.each([
    ['another user', () => [`/connect/recording/${stored}`, other] as const],
    ['a recording without audio', () => [`/connect/recording/${silent}`, mine] as const],
    ['a call without voicemail', () => [`/connect/voicemail/${call + 1}`, mine] as const],
    ['an unknown id', () => ['/connect/recording/2000000', mine] as const],
    ['an id that is none', () => ['/connect/recording/1%20or%201=1', mine] as const],
    ['an id too large', () => ['/connect/recording/99999999999999999999', mine] as const],
  ])('%s: it looks as if there were none', async (_what, wanted) => {
    const [path, caller] = wanted()
    const { status, headers } = await get(path, caller)
    expect([status, headers.get('content-disposition')]).toEqual([404, null])
  })

  it('somebody without a Connect group', async () => {
    const stranger = await app.person([GROUP.internal])
    expect((await get(`/connect/recording/${stored}`, stranger)).status).toBe(404)
  })
})

describe('the installation', () => {
  it('says whether it is the one that was meant', async () => {
    const { instanceUid } = await app.app.platform.settings.get()
    expect((await get(`/connect/${instanceUid}/`, 'nobody')).bytes.toString()).toBe('True')
    expect((await get('/connect/somebody-else/', 'nobody')).bytes.toString()).toBe('False')
  })
})
