import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Settings, SettingsSnapshot } from '../../../src/platform/settings/settings.ts'
import { VoiceaiError } from '../../../src/voiceai/client/provider-error.ts'
import type { VoiceaiClient } from '../../../src/voiceai/client/sdk-client.ts'
import { sdkClient } from '../../../src/voiceai/client/sdk-client.ts'
import { FakeVoiceai } from '../../support/fake-voiceai.ts'

const TOKEN = 'agent-token-0123456789'
const TOOL = { type: 'client', name: 'look', description: 'Looks.' } as const
/** A port that the system gives to nobody by itself, as it does that of a server which has stopped. */
const NOBODY = 'http://127.0.0.1:2'
const AGENT = { name: 'A', conversationConfig: {}, platformSettings: {} }

let fake: FakeVoiceai
let client: VoiceaiClient
let pauses: number[]
let apiKey: string | undefined

beforeAll(async () => {
  fake = await FakeVoiceai.start()
})
beforeEach(() => {
  fake.calm()
  pauses = []
  apiKey = fake.apiKey
  const snapshot = (): Partial<SettingsSnapshot> => ({
    voiceaiApiKey: apiKey,
    voiceaiAgentToken: TOKEN,
    postCallSecrets: ['wsec_secret'],
  })
  const settings = { get: async () => snapshot() } as unknown as Settings
  client = sdkClient({
    settings,
    baseUrl: fake.url,
    pause: async (ms) => {
      pauses.push(ms)
    },
  })
})
afterAll(() => fake.stop())

/** Lets the time of a request be over once it has arrived, as it is when the platform does not answer. */
function silence(): () => Promise<void> {
  let patience = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    patience = new AbortController()
    return patience.signal
  })
  return async () => patience.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
}

async function failureOf(work: Promise<unknown>): Promise<VoiceaiError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof VoiceaiError) return thrown
  throw new Error(`expected a VoiceaiError, got ${String(thrown)}`)
}

test('sends the key of the moment, and nothing without one', async () => {
  await client.listVoices()
  expect(fake.asked[0]?.headers['xi-api-key']).toBe(fake.apiKey)
  apiKey = undefined
  expect(await failureOf(client.listVoices())).toMatchObject({ kind: 'credentials', message: 'API key not set' })
  expect(fake.asked).toHaveLength(1)
})

describe('repeats', () => {
  test('what is safe to repeat, with growing pauses, three times at most', async () => {
    fake.fail({ path: /voices/, status: 503 })
    expect(await failureOf(client.listVoices())).toMatchObject({ kind: 'unavailable' })
    expect(fake.asked).toHaveLength(3)
    expect(pauses).toEqual([expect.closeTo(1_000, -3), expect.closeTo(2_000, -3)])
    expect(pauses[1]).toBeGreaterThan(pauses[0] ?? 0)
  })

  test('after the pause the platform asks for', async () => {
    fake.fail({ path: /voices/, status: 429, headers: { 'retry-after': '7' }, times: 1 })
    expect(await client.listVoices()).toEqual([])
    expect(pauses).toEqual([7_000])
  })

  test('a request is not repeated when the platform asks for a pause of minutes', async () => {
    fake.fail({ path: /voices/, status: 429, headers: { 'retry-after': '600' } })
    expect(await failureOf(client.listVoices())).toMatchObject({ kind: 'busy', retryAfterMs: 600_000 })
    expect(fake.asked).toHaveLength(1)
  })

  test('a lost connection and a platform that is silent', async () => {
    fake.fail({ path: /voices/, isCut: true, times: 1 })
    fake.fail({ path: /voices/, times: 1, before: silence() })
    expect(await client.listVoices()).toEqual([])
    expect(fake.asked).toHaveLength(3)
  })

  test.each([400, 401, 403, 404, 409, 422])('a request is never repeated that was refused with %i', async (status) => {
    fake.fail({ path: /voices/, status })
    await failureOf(client.listVoices())
    expect(fake.asked).toHaveLength(1)
  })

  test.each([
    ['a tool', () => client.createTool(TOOL)],
    ['an agent', () => client.createAgent(AGENT)],
    ['a webhook', () => client.createWebhook({ name: 'w', url: 'https://a.example.com' })],
    ['a number', () => client.createNumber({ number: 'n', label: 'l', agentUid: 'a', allowedAddresses: [] })],
  ])(
    'the creation of %s is never repeated, except when it was turned away for being one too many',
    async (_what, create) => {
      fake.fail({ method: 'POST', path: /./, status: 500, times: 1 })
      expect(await failureOf(create())).toMatchObject({ kind: 'unavailable' })
      expect(fake.asked).toHaveLength(1)
      fake.fail({ method: 'POST', path: /./, status: 429, times: 1 })
      await create()
      expect(fake.asked).toHaveLength(3)
    },
  )
})

describe('one sentence for a person', () => {
  test.each([
    [401, { detail: { message: 'Invalid API key' } }, 'does not accept the API key: Invalid API key.'],
    [403, { detail: 'Not on your plan.' }, 'does not allow this with the API key: Not on your plan.'],
    [404, { detail: { status: 'voice_not_found' } }, 'does not know the record: voice_not_found.'],
    [409, '', 'has it already.'],
    [422, { detail: [{ loc: ['body', 'a', 0], msg: 'is bad' }] }, 'refused it (status 422): a.0 is bad.'],
    [429, { detail: { message: 'Slow down' } }, 'has too many requests at the moment: Slow down.'],
    [500, '<html>Oops</html>', 'failed (status 500).'],
  ])('a person reads one sentence for status %i', async (status, body, sentence) => {
    fake.fail({ path: /voices/, status, body })
    expect((await failureOf(client.listVoices())).message).toBe(`ElevenLabs ${sentence}`)
  })

  test('a person reads one sentence for an answer that is not understood', async () => {
    fake.fail({ path: /voices/, body: { voices: 'none' } })
    const { message } = await failureOf(client.listVoices())
    expect(message).toBe('ElevenLabs answered in a way that is not understood.')
  })

  test('a person reads one sentence for silence, and for a platform that is not there', async () => {
    fake.fail({ path: /agents/, before: silence() })
    expect((await failureOf(client.createAgent(AGENT))).message).toBe('ElevenLabs did not answer in time.')
    const settings = { get: async () => ({ voiceaiApiKey: 'k', postCallSecrets: [] }) } as unknown as Settings
    const nowhere = sdkClient({ settings, baseUrl: NOBODY, pause: async () => undefined })
    expect((await failureOf(nowhere.listVoices())).message).toBe('ElevenLabs cannot be reached (ECONNREFUSED).')
  })

  test('a person reads no secret that the platform repeats to us', async () => {
    const message = `bad header ${TOKEN}, key ${fake.apiKey}, secret wsec_secret`
    fake.fail({ path: /voices/, status: 422, body: { detail: { message } } })
    const error = await failureOf(client.listVoices())
    expect(error.message).toContain('bad header ****, key ****, secret ****')
    expect(error.cause).toBeUndefined()
  })
})

test('the key is never taken to where a redirect points', async () => {
  fake.fail({ path: /voices/, status: 302, headers: { location: `${fake.url}/v1/elsewhere` } })
  expect(await failureOf(client.listVoices())).toMatchObject({ kind: 'unavailable' })
  expect(fake.asked.every((each) => each.path === '/v1/voices')).toBe(true)
})

test('follows pages to their end', async () => {
  const access = { is_creator: true, creator_name: '', creator_email: '', role: 'admin' }
  const tool = { tool_config: { ...TOOL }, access_info: access, usage_stats: { avg_latency_secs: 0 } }
  const first = { tools: [{ id: 't1', ...tool }], has_more: true, next_cursor: 'more' }
  fake.fail({ path: /tools\?page_size=100$/, body: first, times: 1 })
  fake.fail({ path: /cursor=more/, body: { tools: [{ id: 't2', ...tool }], has_more: false }, times: 1 })
  expect((await client.listTools()).map(({ id }) => id)).toEqual(['t1', 't2'])
})

test('starting the service does not load the SDK', async () => {
  const root = path.resolve(import.meta.dirname, '../../..')
  const script = `import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    await import('./src/voiceai/client/sdk-client.ts')
    await import('./src/voiceai/conversations/register-call.ts')
    await import('./src/app/create-app.ts')
    console.log(loaded.filter((url) => url.includes('elevenlabs')).length)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  expect(stdout.trim()).toBe('0')
})
