// No single step of any request holds up the others: the worst bodies we know go to every route, with and without a right
// signature, while another client is served.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import webhooks from 'twilio/lib/webhooks/webhooks.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseForm } from '../../src/telco/webhooks/form.ts'
import { adoptSecret, aTranscript, sign } from '../fixtures/post-call.ts'
import { INITIATION, POST_CALL, TOKEN_ROUTES } from '../fixtures/routes.ts'
import { sendRequest } from '../support/http.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'
import { AUTH_TOKEN, PUBLIC_URL } from '../support/telco.ts'
import { TELCO_ROUTES } from '../support/telco-routes.ts'
import { eventually } from '../support/test-app.ts'

const TEST_TIMEOUT_MS = 240_000
/** The promise, on a processor that does the work below in its time. */
const STEP_MS_MAX = 50
/** Work that every processor is compared by, and how long it takes where the promise was made. */
const WORK = `{${Array.from({ length: 40_000 }, (_none, at) => `"${at.toString(36)}z":[${at}]`).join(',')}}`
const WORK_MS = 12
/** What comes between, such as collected garbage, makes a step longer and never shorter: the best of some tries is its own. */
const TRIES_MAX = 6
const MICROSECONDS = 1_000
const MIB = 1024 * 1024
const AGENT_TOKEN = randomBytes(16).toString('hex')
/** A well-formed signature that is right for nothing. */
const MADE_UP = 'N76QHLGtNxxhoNaUGV1w68GvLzE='

let place: Place
let service: ServiceProcess
let key = ''
let probeFile = ''

beforeAll(async () => {
  place = await Place.prepared()
  probeFile = path.join(place.dataDir, 'steps')
  const NODE_OPTIONS = `--import ${pathToFileURL(path.join(import.meta.dirname, '../support/step-probe.mjs'))}`
  service = await ServiceProcess.start({ ...place.env, LOG_LEVEL: 'silent', NODE_OPTIONS, STEP_PROBE_FILE: probeFile })
  key = place.localKey
  const vals = {
    voiceai_agent_token: AGENT_TOKEN,
    auth_token: AUTH_TOKEN,
    api_url: PUBLIC_URL,
  }
  await service.call(key, 'connect.settings', 'write', { ids: [1], vals })
  await adoptSecret((...asked) => service.call(key, ...asked))
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  await service.stop()
  await place.remove()
})

/** The longest time of the processor that one turn of the service's event loop took while `attack` ran, and what else it answered. */
async function longestStep(attack: () => Promise<unknown>): Promise<{ ms: number; served: number }> {
  await probe()
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
  return { ms: await probe(), served }
}

/** The longest step since it was asked for last. */
async function probe(): Promise<number> {
  const before = measured().length
  service.child.kill('SIGUSR2')
  await eventually(async () => measured().length > before)
  return Number(measured().at(-1))
}

/** What the probe has written, a line for each time it was asked. */
function measured(): string[] {
  return existsSync(probeFile) ? readFileSync(probeFile, 'utf8').split('\n').slice(0, -1) : []
}

function post(address: string, headers: Record<string, string>, body: string | Buffer): Promise<unknown> {
  // Anyone who is refused early may find the connection closed.
  return sendRequest(service.url + address, { method: 'POST', headers, body }).catch(() => undefined)
}

async function expectNeverHeld(attack: () => Promise<unknown>): Promise<void> {
  const held: string[] = []
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = slowness()
    const { ms, served } = await longestStep(attack)
    expect(served).toBeGreaterThan(0)
    const msMax = STEP_MS_MAX * Math.max(before, slowness())
    if (ms < msMax) return
    held.push(`${Math.round(ms)} of ${Math.round(msMax)} ms`)
  }
  expect(held, 'held up the others').toEqual([])
}

/** How much longer the processor needs for the same work here and now: a slow one, or one that shares its core and caches. */
function slowness(): number {
  const started = process.threadCpuUsage()
  JSON.parse(WORK)
  const { user, system } = process.threadCpuUsage(started)
  return Math.max(1, (user + system) / MICROSECONDS / WORK_MS)
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

  it('a complicated form without a signature holds nobody up', () => expectNeverHeld(toAll(() => ({}))))
  it('a complicated form with a made-up signature holds nobody up', () =>
    expectNeverHeld(toAll(() => ({ 'x-twilio-signature': MADE_UP, host: 'somebody.example:8443' }))))
  it('a complicated form with a right signature holds nobody up', async () => {
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

  it('complicated JSON to every tool holds nobody up, without the token and with it', () =>
    expectNeverHeld(async () => {
      for (const route of TOKEN_ROUTES) {
        await post(route, json, body)
        await post(route, { ...json, 'x-voiceai-agent-token': AGENT_TOKEN }, body)
      }
    }))

  it('complicated JSON as a delivery after a call holds nobody up, with a made-up signature and with a right one', () =>
    expectNeverHeld(async () => {
      await post(POST_CALL, { 'voiceai-signature': sign('other') }, body)
      await post(POST_CALL, { 'voiceai-signature': sign(body) }, body)
    }))

  it('complicated JSON to the API and the pages holds nobody up', () =>
    expectNeverHeld(async () => {
      for (const address of ['/api/sign-in', '/api/setup', '/api/sign-out']) await post(address, json, body)
      for (const address of ['res.partner/search', 'connect.call/search_read', 'res.partner/create'])
        await post(`/json/2/${address}`, { ...json, authorization: `bearer ${key}` }, body)
    }))
})

/** Deliveries after a call as large as are taken, by what is in them. */
const LARGE: Record<string, () => string> = {
  'a million names': () => `{"data":{${Array.from({ length: 1_000_000 }, (_none, at) => `"n${at}":1`).join(',')}}}`,
  'a million turns': () => {
    const turns = Array.from({ length: 1_000_000 }, (_none, at) => `{"role":"user","message":"m${at}"}`)
    return `{"type":"post_call_transcription","data":{"conversation_id":"turns","transcript":[${turns.join(',')}]}}`
  },
  'one long turn': () =>
    JSON.stringify(
      aTranscript({ data: { transcript: [{ role: 'user', message: 'He said "no".\n'.repeat(3_000_000) }] } }),
    ),
  'values up to the size': () => `{"data":[${'1,'.repeat(30 * MIB)}1]}`,
  'nesting up to the size': () => `${'['.repeat(30 * MIB)}${']'.repeat(30 * MIB)}`,
  'a transcript just short enough to be read at once': () =>
    JSON.stringify(aTranscript({ data: { transcript: manyTurns(250 * 1024) } })),
}

function manyTurns(chars: number): object[] {
  return Array.from({ length: Math.floor(chars / 35) }, (_none, at) => ({ role: 'user', message: `${at}`.padStart(6) }))
}

describe.each(Object.entries(LARGE))('a signed delivery of %s', { timeout: TEST_TIMEOUT_MS }, (_name, make) => {
  it('a complicated signed delivery is answered 200, and holds nobody up', async () => {
    const body = make()
    const headers = { 'content-type': 'application/json', 'voiceai-signature': sign(body) }
    const answers = new Set<number>()
    await expectNeverHeld(async () => {
      const { status } = await sendRequest(service.url + POST_CALL, { method: 'POST', headers, body })
      answers.add(status)
    })
    expect([...answers]).toEqual([200])
  })
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

  it('the API with the longest values it takes', () =>
    expectNeverHeld(async () => {
      const headers = { 'content-type': 'application/json', authorization: `bearer ${key}` }
      const texts = {
        'one long value': 'x'.repeat(15 * MIB),
        'HTML up to its limit': '<b>'.repeat(6_000),
        'HTML beyond its limit': '<p><a href="x">'.repeat(MIB),
        'a text up to its limit': 'é<"\n'.repeat(250_000),
      }
      for (const text of Object.values(texts)) {
        for (const [address, vals] of [
          ['res.partner/create', { name: 'A', comment: text }],
          ['helpdesk.ticket/create', { name: 'A', description: text }],
          ['connect.markup/create', { name: 'A', body: text }],
          ['res.partner/create', { name: text }],
        ] as const)
          await post(`/json/2/${address}`, headers, JSON.stringify({ vals_list: vals }))
        const domain = [['name', 'ilike', text]]
        await post('/json/2/res.partner/search_read', headers, JSON.stringify({ domain }))
      }
    }))

  it('the document, pages and files of the API hold nobody up', () =>
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
