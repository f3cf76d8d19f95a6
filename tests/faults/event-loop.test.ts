// No single step of any request holds up the others: the worst bodies we know go to every route, with and without a right
// signature, while another client is served.
import { randomBytes } from 'node:crypto'
import webhooks from 'twilio/lib/webhooks/webhooks.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseForm } from '../../src/telco/webhooks/form.ts'
import { SECRET, sign } from '../fixtures/post-call.ts'
import { INITIATION, POST_CALL, TOKEN_ROUTES } from '../fixtures/routes.ts'
import { sendRequest } from '../support/http.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'
import { AUTH_TOKEN, PUBLIC_URL } from '../support/telco.ts'
import { TELCO_ROUTES } from '../support/telco-routes.ts'

const TEST_TIMEOUT_MS = 240_000
/** The promise is 50 ms on a machine that has nothing else to do; slower processors and collected garbage get as much again. */
const HELD_MS_MAX = 100
/** Work by which a test learns how many others want the processor. */
const SPIN_MS = 20
/** A loaded machine makes a step slower and never faster: the best of some tries is the step's own. */
const TRIES_MAX = 6
const MIB = 1024 * 1024
const AGENT_TOKEN = randomBytes(16).toString('hex')
/** A well-formed signature that is right for nothing. */
const MADE_UP = 'N76QHLGtNxxhoNaUGV1w68GvLzE='

let place: Place
let service: ServiceProcess
let key = ''

beforeAll(async () => {
  place = await Place.prepared()
  service = await ServiceProcess.start({ ...place.env, LOG_LEVEL: 'silent' })
  key = place.localKey
  const vals = {
    voiceai_agent_token: AGENT_TOKEN,
    voiceai_post_call_webhook_secret: SECRET,
    auth_token: AUTH_TOKEN,
    api_url: PUBLIC_URL,
  }
  await service.call(key, 'connect.settings', 'write', { ids: [1], vals })
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  await service.stop()
  await place.remove()
})

/** Milliseconds for which the event loop of the service stood still at most while `attack` ran, and what else it answered. */
async function heldBy(attack: () => Promise<unknown>): Promise<{ ms: number; served: number }> {
  await lagMs()
  let isOver = false
  const attacked = attack().finally(() => {
    isOver = true
  })
  let served = 0
  while (!isOver) {
    const { status } = await sendRequest(`${service.url}/healthz`)
    if (status === 200) served += 1
  }
  await attacked
  return { ms: await lagMs(), served }
}

/** The longest delay since it was asked for last. */
async function lagMs(): Promise<number> {
  const { text } = await sendRequest(`${service.url}/metrics`)
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1])
}

function post(address: string, headers: Record<string, string>, body: string | Buffer): Promise<unknown> {
  // Whoever is refused early may find the connection closed.
  return sendRequest(service.url + address, { method: 'POST', headers, body }).catch(() => undefined)
}

async function expectNeverHeld(attack: () => Promise<unknown>): Promise<void> {
  const held: string[] = []
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = crowding()
    const { ms, served } = await heldBy(attack)
    expect(served).toBeGreaterThan(0)
    const msMax = HELD_MS_MAX * Math.max(before, crowding())
    if (ms < msMax) return
    held.push(`${Math.round(ms)} of ${Math.round(msMax)} ms`)
  }
  expect(held, 'held up the others').toEqual([])
}

/** How much longer work takes than it has the processor: 1 on an idle machine, 4 where four want each processor. */
function crowding(): number {
  const started = performance.now()
  const usage = process.cpuUsage()
  let spentMs = 0
  while (spentMs < SPIN_MS) {
    const { user, system } = process.cpuUsage(usage)
    spentMs = (user + system) / 1_000
  }
  return Math.max(1, (performance.now() - started) / spentMs)
}

const FORMS: Record<string, string> = {
  'two million fields': 'a&'.repeat(2_000_000),
  'fields up to the size': 'a=1&'.repeat(MIB / 4),
  'a thousand fields of nothing but percent signs': `${'%'.repeat(1_000)}&`.repeat(1_000),
  'wrong percent-encodings': `a=${'%'.repeat(MIB - 2)}`,
  'bytes that are no UTF-8': `a=${'%E2%82'.repeat(MIB / 6 - 1)}`,
  'plus signs': `a=${'+'.repeat(MIB - 2)}`,
  'one field repeated': 'Tag=b&'.repeat(999),
  'equals signs': '='.repeat(MIB),
  'long texts everywhere': ['Body', 'From', 'To', 'Caller', 'Called', 'CallSid', 'MessageSid', 'Digits', 'SpeechResult']
    .map((name) => `${name}=${'%2B1('.repeat(20_000)}`)
    .join('&'),
}

const JSONS: Record<string, string> = {
  'deep nesting': `${'['.repeat(MIB / 2)}${']'.repeat(MIB / 2)}`,
  'deep nesting of objects': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'many values': `{"a":[${'1,'.repeat(MIB / 2 - 100)}1]}`,
  'many names': `{"vals_list":{${Array.from({ length: 60_000 }, (_none, at) => `"field${at}":1`).join(',')}}}`,
  'as many names as are allowed': `{"vals_list":{${Array.from({ length: 19_000 }, (_none, at) => `"field${at}":1`).join(',')}}}`,
  'a long number': `{"call_id":${'9'.repeat(MIB - 100)}}`,
  'a long number as text': `{"call_id":"${'9'.repeat(MIB - 100)}","ticket_id":"${'1'.repeat(8)}"}`,
  escapes: `{"subject":"${'\\u0041'.repeat(MIB / 6 - 10)}","call_id":"1"}`,
  'patterns and phone texts': JSON.stringify({
    ...Object.fromEntries(
      [
        'caller_id',
        'called_number',
        'phone',
        'exten',
        'channel_sid',
        'date',
        'start',
        'name',
        'subject',
        'query',
        'tz',
        'event_start',
      ].map((name) => [name, '+1('.repeat(10_000) + ' '.repeat(30_000)]),
    ),
    call_id: ' '.repeat(100_000),
  }),
}

describe.each(Object.entries(FORMS))('a form of %s', { timeout: TEST_TIMEOUT_MS }, (_name, body) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const toAll = (headersOf: (route: string) => Record<string, string>) => async () => {
    for (const route of TELCO_ROUTES) await post(`/telco/webhook/${route}`, { ...form, ...headersOf(route) }, body)
  }

  it('without a signature', () => expectNeverHeld(toAll(() => ({}))))
  it('with a made-up signature', () =>
    expectNeverHeld(toAll(() => ({ 'x-twilio-signature': MADE_UP, host: 'somebody.example:8443' }))))
  it('with a right signature', async () => {
    const fields = parseForm(Buffer.from(body.length > MIB ? 'a=1' : body))
    const signatures = new Map(
      TELCO_ROUTES.map((route) => {
        const url = `${PUBLIC_URL}/telco/webhook/${route}`
        return [route as string, webhooks.getExpectedTwilioSignature(AUTH_TOKEN, url, fields)]
      }),
    )
    await expectNeverHeld(toAll((route) => ({ 'x-twilio-signature': signatures.get(route) ?? '' })))
  })
})

describe.each(Object.entries(JSONS))('JSON of %s', { timeout: TEST_TIMEOUT_MS }, (_name, body) => {
  const json = { 'content-type': 'application/json' }

  it('to every tool, without the token and with it', () =>
    expectNeverHeld(async () => {
      for (const route of TOKEN_ROUTES) {
        await post(route, json, body)
        await post(route, { ...json, 'x-voiceai-agent-token': AGENT_TOKEN }, body)
      }
    }))

  it('as a delivery after a call, with a made-up signature and with a right one', () =>
    expectNeverHeld(async () => {
      await post(POST_CALL, { 'voiceai-signature': sign('other') }, body)
      // Who holds the secret is the platform, whose transcripts may be long: of them nothing is refused.
      if (!body.includes('field1')) await post(POST_CALL, { 'voiceai-signature': sign(body) }, body)
    }))

  it('to the API and the pages', () =>
    expectNeverHeld(async () => {
      for (const address of ['/api/sign-in', '/api/setup', '/api/sign-out']) await post(address, json, body)
      for (const address of ['res.partner/search', 'connect.call/search_read', 'res.partner/create'])
        await post(`/json/2/${address}`, { ...json, authorization: `bearer ${key}` }, body)
    }))
})

describe('other requests', { timeout: TEST_TIMEOUT_MS }, () => {
  it('large bodies of strangers after a call', () =>
    expectNeverHeld(async () => {
      const body = Buffer.alloc(24 * MIB, 'x')
      await Promise.all([post(POST_CALL, {}, body), post(POST_CALL, { 'voiceai-signature': sign('other') }, body)])
    }))

  it('the API with the largest body it takes', () =>
    expectNeverHeld(async () => {
      const headers = { 'content-type': 'application/json', authorization: `bearer ${key}` }
      const body = `{"domain":[${'1,'.repeat((15 * MIB) / 2)}1]}`
      await post('/json/2/res.partner/search', headers, body)
      await post('/json/2/res.partner/search', headers, `{"domain":${'['.repeat(7 * MIB)}${']'.repeat(7 * MIB)}}`)
    }))

  it('its document, pages and files', () =>
    expectNeverHeld(async () => {
      const long = 'x'.repeat(8_000)
      for (const address of [
        '/api/openapi.json',
        '/api/docs',
        '/',
        '/setup',
        `/${long}`,
        `/connect/${long}/`,
        `/web/content/connect.voiceai_file/1/file/${long}`,
        '/connect/recording/1',
        `${INITIATION}?${'a&'.repeat(4_000)}`,
      ])
        await sendRequest(service.url + address)
    }))
})
