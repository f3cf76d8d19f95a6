import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../../../src/log.ts'
import type { Settings, SettingsSnapshot } from '../../../src/platform/settings/settings.ts'
import { ProviderRefused, ProviderUnavailable, type TelcoClient } from '../../../src/ports/telco-client.ts'
import { createTelcoClient } from '../../../src/telco/client/telco-client.ts'
import { AUDIO, aRecording, FakeTelco, refusal } from '../../support/fake-telco.ts'
import { ACCOUNT_SID, AUTH_TOKEN } from '../../support/telco.ts'

const CALL = 'CA00000000000000000000000000000001'
const RECORDING = 'RE00000000000000000000000000000001'

/** A port that the system gives to nobody by itself, as it does that of a server which has stopped. */
const NOBODY = 'http://127.0.0.1:2'

let fake: FakeTelco
let client: TelcoClient
let settings: Partial<SettingsSnapshot>

beforeAll(async () => {
  fake = await FakeTelco.start()
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.reset()
  settings = { accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, telcoRegion: 'us1', telcoEdge: 'ashburn' }
  client = clientAt(fake.url)
})

function clientAt(baseUrl: string): TelcoClient {
  const known = { get: async () => settings as SettingsSnapshot } as unknown as Settings
  return createTelcoClient({ settings: known, baseUrl, log: createLog('silent') })
}

const message = { to: '+15550100002', from: '+15550100001', body: 'Hello', statusCallback: undefined }
const call = {
  to: 'client:a@b',
  from: '+15550100001',
  markup: '<Response/>',
  statusCallback: undefined,
  timeoutSeconds: 10,
}

describe('requests', () => {
  it('redirect a live call with the credentials of the settings', async () => {
    await client.redirectCall(CALL, '<Response><Hangup/></Response>')
    const [asked] = fake.asked('POST', /^\/Calls\/CA0+1\.json$/)
    expect(asked?.form.get('Twiml')).toBe('<Response><Hangup/></Response>')
    expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64')}`)
  })

  it('end a leg by its status', async () => {
    await client.endCall(CALL)
    expect(fake.asked('POST', /^\/Calls\/CA0+1\.json$/)[0]?.form.get('Status')).toBe('completed')
  })

  it('make a call with every event reported', async () => {
    const created = await client.createCall({ ...call, statusCallback: 'https://pbx.example.com/s#e=x' })
    const [asked] = fake.asked('POST', /^\/Calls\.json$/)
    expect(created).toEqual({ sid: expect.stringMatching(/^CA/), status: 'queued' })
    expect(asked?.form.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed'])
    expect(asked?.form.get('Timeout')).toBe('10')
  })

  it('send a text, or a template in its place', async () => {
    const sent = await client.sendMessage({
      ...message,
      mediaUrls: ['https://a.example/1.png', 'https://a.example/2.png'],
    })
    await client.sendMessage({ ...message, content: { sid: 'HX1', variables: '{"1":"Zoe"}' } })
    const [text, template] = fake.asked('POST', /^\/Messages\.json$/)
    expect(sent).toMatchObject({ sid: expect.stringMatching(/^SM/), status: 'queued', errorCode: undefined })
    expect(text?.form.getAll('MediaUrl')).toEqual(['https://a.example/1.png', 'https://a.example/2.png'])
    expect(template?.form.get('ContentSid')).toBe('HX1')
    expect(template?.form.get('ContentVariables')).toBe('{"1":"Zoe"}')
    expect(template?.form.has('Body')).toBe(false)
  })

  it('read a recording, and its start as a moment', async () => {
    expect(await client.fetchRecording(RECORDING)).toMatchObject({
      seconds: 36,
      price: -0.0025,
      source: 'DialVerb',
      startTime: new Date('2025-10-08T13:54:12Z'),
    })
  })

  it('requests have no start where the provider has none', async () => {
    fake.on('GET', /Recordings/, { body: aRecording(RECORDING, { start_time: null, price: null }) })
    expect(await client.fetchRecording(RECORDING)).toMatchObject({ startTime: undefined, price: undefined })
  })

  it('requests have no length of a recording while the provider does not know it', async () => {
    fake.on('GET', /Recordings/, { body: aRecording(RECORDING, { duration: '-1' }) })
    expect(await client.fetchRecording(RECORDING)).toMatchObject({ seconds: undefined })
  })

  it('list, start and stop recordings of a call', async () => {
    const running = aRecording(RECORDING, { status: 'in-progress' })
    fake.on('GET', /Recordings/, { body: { recordings: [running], next_page_uri: null } })
    expect(await client.listCallRecordings(CALL)).toMatchObject([{ sid: RECORDING, status: 'in-progress' }])
    await client.startRecording(CALL, { statusCallback: 'https://pbx.example.com/r' })
    await client.stopRecording(CALL, RECORDING)
    expect(fake.asked('POST', /Recordings\.json$/)[0]?.form.get('RecordingStatusCallback')).toBe(
      'https://pbx.example.com/r',
    )
    expect(fake.asked('POST', /Recordings\/RE/)[0]?.form.get('Status')).toBe('stopped')
  })
})

describe('trouble', () => {
  it('trouble of a read is tried again, after as long as the provider asks', async () => {
    fake.on('GET', /Recordings/, { status: 503, body: 'busy' })
    fake.on('GET', /Recordings/, { ...refusal(429, 20429, 'Too many'), headers: { 'retry-after': '1' } })
    const started = performance.now()
    expect(await client.fetchRecording(RECORDING)).toMatchObject({ sid: RECORDING })
    expect(performance.now() - started).toBeGreaterThan(1_000)
    expect(fake.requests).toHaveLength(3)
  })

  it.each([
    ['a 503', { status: 503, body: 'busy' }],
    ['a cut connection', { isCut: true }],
    ['nonsense', { status: 200, body: 'nonsense' }],
  ])('trouble of a message that may have been sent is never tried again: %s', async (_what, answer) => {
    fake.on('POST', /Messages/, answer)
    await expect(client.sendMessage(message)).rejects.toMatchObject({
      name: 'ProviderUnavailable',
      mayHaveHappened: true,
    })
    expect(fake.requests).toHaveLength(1)
  })

  it('trouble of a call that was one too many is tried again, because it was not made', async () => {
    fake.on('POST', /Calls/, refusal(429, 20429, 'Too many'))
    await client.createCall(call)
    expect(fake.requests).toHaveLength(2)
  })

  it('trouble of a provider that is not there says that nothing has happened', async () => {
    await expect(clientAt(NOBODY).sendMessage(message)).rejects.toMatchObject({ mayHaveHappened: false })
  })

  it.each([
    [400, 21211, 'refused'],
    [404, 20404, 'not-found'],
    [400, 21220, 'conflict'],
  ])('trouble that is a refusal %i %i is one for the person who asked: %s', async (status, code, kind) => {
    fake.on('POST', /Calls/, refusal(status, code, 'The number is wrong'))
    const error = await client.redirectCall(CALL, '<Response/>').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProviderRefused)
    expect(error).toMatchObject({ kind, providerCode: String(code) })
    expect(String(error)).toContain('The number is wrong')
  })

  it('trouble of wrong or missing credentials is said without them', async () => {
    settings.authToken = 'a-wrong-token-that-is-secret'
    const wrong = await client.redirectCall(CALL, '<Response/>').catch((thrown: unknown) => thrown)
    expect(wrong).toBeInstanceOf(ProviderUnavailable)
    expect(JSON.stringify([String(wrong), wrong])).not.toContain('a-wrong-token-that-is-secret')
    settings.authToken = undefined
    await expect(client.redirectCall(CALL, '<Response/>')).rejects.toThrow('Twilio has no credentials')
  })

  it('trouble that repeats a secret loses it', async () => {
    fake.on('POST', /Calls/, refusal(400, 21205, `Token ${AUTH_TOKEN} is wrong`))
    await expect(client.redirectCall(CALL, '<Response/>')).rejects.toThrow('Token **** is wrong')
  })

  it('trouble is not followed to another host', async () => {
    fake.on('POST', /Calls/, { status: 307, headers: { location: 'https://evil.example/' } })
    await expect(client.redirectCall(CALL, '<Response/>')).rejects.toThrow()
    expect(fake.requests).toHaveLength(1)
  })

  it('ends with new credentials, without a restart', async () => {
    settings.authToken = 'old'
    await expect(client.fetchCall(CALL)).rejects.toThrow()
    settings.authToken = AUTH_TOKEN
    expect(await client.fetchCall(CALL)).toMatchObject({ price: -0.013, priceUnit: 'USD' })
  })
})

describe('audio', () => {
  it('audio is fetched with credentials, as MP3, in parts', async () => {
    const answer = await client.openMedia(fake.recordingUrl(RECORDING), { range: 'bytes=10-19' })
    expect(answer).toMatchObject({ status: 206, contentType: 'audio/mpeg', contentRange: 'bytes 10-19/1000' })
    expect(Buffer.from(await new Response(answer.body).arrayBuffer())).toEqual(AUDIO.subarray(10, 20))
    expect(fake.requests[0]?.path).toBe(`/Recordings/${RECORDING}.mp3`)
    expect(fake.requests[0]?.headers.authorization).toMatch(/^Basic /)
  })

  it('audio is followed to the storage of the provider without credentials', async () => {
    fake.on('GET', /Recordings/, { status: 302, headers: { location: '/storage/signed?Signature=x' } })
    fake.on('GET', /storage/, { headers: { 'content-type': 'audio/mpeg' }, body: AUDIO })
    const answer = await client.openMedia(fake.recordingUrl(RECORDING))
    expect(Buffer.from(await new Response(answer.body).arrayBuffer())).toEqual(AUDIO)
    expect(fake.requests[1]?.headers.authorization).toBeUndefined()
  })

  it('audio is not followed anywhere else, nor in a circle', async () => {
    fake.on('GET', /Recordings/, { status: 302, headers: { location: 'https://evil.example/audio.mp3' } })
    await expect(client.openMedia(fake.recordingUrl(RECORDING))).rejects.toThrow('unknown host')
    fake.on('GET', /./, { status: 302, headers: { location: '/storage/again' } }, 100)
    await expect(client.openMedia(fake.recordingUrl(RECORDING))).rejects.toThrow('circle')
  })

  it('audio is refused where it is no audio', async () => {
    fake.on('GET', /Recordings/, { body: { auth_token: 'secret' } })
    await expect(client.openMedia(fake.recordingUrl(RECORDING))).rejects.toThrow('instead of audio')
    fake.on('GET', /Recordings/, refusal(404, 20404, 'gone'))
    await expect(client.openMedia(fake.recordingUrl(RECORDING))).rejects.toMatchObject({
      code: 'provider-audio-missing',
    })
  })

  it.each(['https://evil.example/2010-04-01/Accounts/AC1/Recordings/RE1', 'file:///etc/passwd', 'nonsense', ''])(
    'is not fetched from %j',
    async (url) => {
      await expect(client.openMedia(url)).rejects.toMatchObject({ code: 'provider-audio-elsewhere' })
      expect(fake.requests).toHaveLength(0)
    },
  )

  it('media at an address that somebody wrote are never asked for by a plain fetch, which follows a name into our network', async () => {
    const plain = vi.spyOn(globalThis, 'fetch')
    await expect(client.openTemplateMedia('https://pictures.invalid/1.png')).rejects.toBeInstanceOf(ProviderUnavailable)
    expect(plain).not.toHaveBeenCalled()
  })
})
