// A service that is started again while its PostgreSQL server is away: it listens, connects callers by the last dial plan,
// keeps what is signed, and goes on by itself when the server comes back.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aConversationId, adoptSecret, aTranscript, sign } from '../fixtures/post-call.ts'
import { SERVER_URL } from '../support/database.ts'
import { sendRequest } from '../support/http.ts'
import { findPostgresBinaries, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { ServiceProcess } from '../support/service-process.ts'
import { ACCOUNT_SID, AUTH_TOKEN, askSigned, PUBLIC_URL } from '../support/telco.ts'
import { callback, newSid, requestOf } from '../support/telco-office.ts'
import { eventually } from '../support/test-app.ts'

const AGENT_TOKEN = 'the token of the agents in the tests'
const GREETING = 'You have reached the office.'
const TEST_TIMEOUT_MS = 200_000
const NOT_HERE = 'needs a PostgreSQL server of its own, and runs with the tests on PostgreSQL'

let server: PostgresServer | undefined
let dataDir: string
let service: ServiceProcess

const env = () => ({ DATA_DIR: dataDir, DATABASE_URL: server?.url ?? '', LOG_LEVEL: 'fatal' })
const key = () => readFileSync(path.join(dataDir, 'local-admin.key'), 'utf8').trim()
const sealed = () => path.join(dataDir, 'last-settings.sealed')
const waiting = () => {
  const spool = path.join(dataDir, 'spool')
  return existsSync(spool) ? readdirSync(spool) : []
}

beforeAll(async () => {
  if (SERVER_URL === undefined || findPostgresBinaries() === undefined) return
  server = await startPostgres()
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'connect-outage-'))
  service = await ServiceProcess.start(env())
  await write({
    auth_token: AUTH_TOKEN,
    account_sid: ACCOUNT_SID,
    api_url: PUBLIC_URL,
    voiceai_agent_token: AGENT_TOKEN,
  })
  const create = (model: string, vals: object) => service.call<number>(key(), model, 'create', { vals_list: vals })
  const flow = await create('connect.telco.callflow', { name: 'Office', prompt_message: GREETING })
  const number = { phone_number: requestOf({ sid: newSid() }).To, destination: 'callflow', callflow: flow }
  await create('connect.telco.number', number)
  await adoptSecret((...asked) => service.call(key(), ...asked))
  await service.stop()
}, TEST_TIMEOUT_MS)
afterEach(async () => {
  if (server === undefined) return
  await service.stop('SIGKILL')
  await server.halt()
  await server.resume()
})
afterAll(async () => {
  await server?.stop()
  if (server !== undefined) rmSync(dataDir, { recursive: true, force: true })
})

async function write(vals: object): Promise<void> {
  const [id] = await service.call<number[]>(key(), 'connect.settings', 'search')
  await service.call(key(), 'connect.settings', 'write', { ids: [id], vals })
}

function post(target: string, body: string, headers: Record<string, string>) {
  const sent = { 'content-type': 'application/json', ...headers }
  return sendRequest(service.url + target, { method: 'POST', headers: sent, body })
}

function deliver(conversationId: string, secret?: string) {
  const body = JSON.stringify(aTranscript({ conversationId }))
  return post('/connect_voiceai/post_call', body, {
    'voiceai-signature': sign(body, secret === undefined ? {} : { secret }),
  })
}

const tool = (token: string) => post('/connect_voiceai/get_current_date', '{}', { 'x-voiceai-agent-token': token })
const isReady = async () => (await sendRequest(`${service.url}/readyz`)).status === 200

describe('a service that is started while its server is away', { timeout: TEST_TIMEOUT_MS }, () => {
  it('connects callers by the last dial plan, keeps what is signed, refuses the rest, and goes on when the server is back', async ({
    skip,
  }) => {
    skip(server === undefined, NOT_HERE)
    await server?.halt()
    service = await ServiceProcess.startWaiting(env())

    expect((await sendRequest(`${service.url}/healthz`)).status).toBe(200)
    const ready = await sendRequest(`${service.url}/readyz`)
    expect([ready.status, JSON.parse(ready.text)]).toMatchObject([
      503,
      { status: 'not ready', why: expect.stringContaining('unavailable since this process started'), database: false },
    ])

    const [called, reported, recorded, texted] = [newSid(), newSid(), newSid('RE'), newSid('SM')]
    const voice = await askSigned(service.url, '/telco/webhook/number', requestOf({ sid: called }))
    expect([voice.status, voice.text]).toEqual([200, expect.stringContaining(GREETING)])
    const parties = { From: '+14155550100', To: '+14155550199' }
    const text = { MessageSid: texted, AccountSid: ACCOUNT_SID, ...parties, Body: 'Hi', SmsStatus: 'received' }
    const recording = { RecordingSid: recorded, RecordingStatus: 'completed', RecordingDuration: '3' }
    const reports = [
      ['callstatus', callback({ sid: reported }, 'completed')],
      ['recordingstatus', { ...requestOf({ sid: reported }), ...recording }],
      ['message', text],
    ] as const
    for (const [route, form] of reports) {
      expect((await askSigned(service.url, `/telco/webhook/${route}`, form)).status).toBe(200)
    }
    const conversation = aConversationId()
    expect((await deliver(conversation)).status).toBe(200)
    // A caller does not wait for the disk: what the call said of itself may come last.
    await eventually(async () => waiting().filter((name) => name.endsWith('.json')).length === 5)

    const [forged, stranger] = [newSid(), aConversationId()]
    const status = callback({ sid: forged }, 'completed')
    const refused = await askSigned(service.url, '/telco/webhook/callstatus', status, { token: 'x'.repeat(32) })
    expect(refused.text).toBe('False')
    expect((await deliver(stranger, 'wsec_of_somebody_else_entirely')).status).toBe(401)
    expect((await tool('the token of somebody else')).status).toBe(401)
    expect(waiting()).toHaveLength(5)

    const said = await tool(AGENT_TOKEN)
    expect([said.status, JSON.parse(said.text)]).toEqual([503, { error: expect.stringContaining('right now') }])
    const api = await post('/json/2/connect.call/search', '{}', { authorization: `bearer ${key()}` })
    expect([api.status, JSON.parse(api.text)]).toMatchObject([503, { message: expect.stringContaining('try again') }])
    expect((await sendRequest(service.url)).status).toBe(200)

    await server?.resume()
    await eventually(isReady)
    const found = async (model: string, name: string, values: string[]) =>
      service.call<number>(key(), model, 'search_count', { domain: [[name, 'in', values]] })
    await eventually(async () => (await found('connect.call', 'voiceai_conversation_id', [conversation])) === 1)
    await eventually(async () => (await found('connect.channel', 'sid', [called, reported])) === 2)
    await eventually(async () => (await found('connect.recording', 'sid', [recorded])) === 1)
    await eventually(async () => (await found('connect.message', 'message_sid', [texted])) === 1)
    await eventually(async () => waiting().length === 0)
    expect(await found('connect.channel', 'sid', [forged])).toBe(0)
    expect(await found('connect.call', 'voiceai_conversation_id', [stranger])).toBe(0)
    expect((await tool(AGENT_TOKEN)).status).toBe(200)
    expect(service.out).toMatch(/API: \S+\/api\/docs\n$/)
    expect(await service.stop()).toBe(0)
  })

  it('goes by the secrets of the last change, and holds none of those before', async ({ skip }) => {
    skip(server === undefined, NOT_HERE)
    service = await ServiceProcess.start(env())
    const before = readFileSync(sealed(), 'utf8')
    await write({ voiceai_agent_token: 'another' })
    await eventually(async () => readFileSync(sealed(), 'utf8') !== before)
    expect(statSync(sealed()).mode & 0o777).toBe(0o600)
    await service.stop('SIGKILL')
    await server?.halt()
    service = await ServiceProcess.startWaiting(env())
    expect((await tool(AGENT_TOKEN)).status).toBe(401)
    expect((await tool('another')).status).toBe(503)
    await server?.resume()
    await eventually(isReady)
    await write({ voiceai_agent_token: AGENT_TOKEN })
    expect(await service.stop()).toBe(0)
  })

  it('stops at a signal while it waits', async ({ skip }) => {
    skip(server === undefined, NOT_HERE)
    await server?.halt()
    service = await ServiceProcess.startWaiting(env())
    const kept = aConversationId()
    expect((await deliver(kept)).status).toBe(200)
    expect(await service.stop()).toBe(0)
    expect(service.err).toBe('')
    expect(waiting()).toHaveLength(1)
  })

  it('survives a server that comes and goes while it is opened', async ({ skip }) => {
    skip(server === undefined, NOT_HERE)
    await server?.halt()
    service = await ServiceProcess.startWaiting(env())
    for (let turn = 0; turn < 4; turn += 1) await server?.restart()
    await eventually(isReady)
    expect(await service.stop()).toBe(0)
  })
})

describe('a worker that is started while its server is away', { timeout: TEST_TIMEOUT_MS }, () => {
  it('says what it waits for, and works when the server is back', async ({ skip }) => {
    skip(server === undefined, NOT_HERE)
    service = await ServiceProcess.start(env())
    const serving = service
    await server?.halt()
    const kept = aConversationId()
    expect((await deliver(kept)).status).toBe(200)
    await serving.stop('SIGKILL')

    service = ServiceProcess.startWorker(env())
    await eventually(async () => / is unavailable: .*\nThe worker tries it again every second/.test(service.out))
    expect(service.out).not.toContain('works on jobs')
    await server?.resume()
    await eventually(async () => service.out.includes('Connect works on jobs of '))
    // What the other process left on this disk is worked on.
    await eventually(async () => waiting().length === 0)
    expect([await service.stop(), service.err]).toEqual([0, ''])
  })

  it('stops at a signal while it waits', async ({ skip }) => {
    skip(server === undefined, NOT_HERE)
    await server?.halt()
    service = ServiceProcess.startWorker(env())
    await eventually(async () => service.out.includes(' is unavailable: '))
    expect([await service.stop(), service.err]).toEqual([0, ''])
    expect(service.out).not.toContain('works on jobs')
  })
})

describe('a start that no waiting helps', { timeout: TEST_TIMEOUT_MS }, () => {
  it('says so and ends: the first one at a server that is away, and any at a database that is not there', async ({
    skip,
  }) => {
    if (server === undefined) return skip(NOT_HERE)
    const DATABASE_URL = new URL('/elsewhere', server.url).href
    const elsewhere = { ...env(), DATABASE_URL }
    const missing = await ServiceProcess.refused(elsewhere)
    expect([missing.code, missing.out]).toEqual([1, ''])
    expect(missing.err).toContain('DATABASE_URL names a server that cannot be used: database "elsewhere"')

    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query('create database elsewhere')
    service = await ServiceProcess.start(elsewhere)
    await service.stop()
    await client.query('drop database elsewhere')
    await client.end()
    const dropped = await ServiceProcess.refused(elsewhere)
    expect(dropped.code).toBe(1)
    expect(dropped.err).toContain('DATABASE_URL names a server that cannot be used: database "elsewhere"')
    expect(dropped.err).not.toContain('    at ')

    await server.halt()
    const another = await ServiceProcess.refused({ ...env(), DATABASE_URL: new URL('/another', server.url).href })
    expect([another.code, another.out]).toEqual([1, ''])
    expect(another.err).toMatch(/DATABASE_URL names a server that cannot be used: .*ECONNREFUSED/)
  })
})
