// The process gets `kill -9` while a provider is being asked: the next one ends what it began, once.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { openServer } from '../../src/database/server/server.ts'
import { aSid } from '../fixtures/records.ts'
import { FakeTelco } from '../support/fake-telco.ts'
import { FakeVoiceai } from '../support/fake-voiceai.ts'
import { insertRow } from '../support/rows.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'
import { ACCOUNT_SID, AUTH_TOKEN, PUBLIC_URL } from '../support/telco.ts'
import { eventually } from '../support/test-app.ts'

const POOL = 3
const REDIRECT = /^\/Calls\/CA\w+\.json$/
/** A busy machine works slowly. */
const TEST_TIMEOUT_MS = 240_000

let place: Place
let telco: FakeTelco
let voiceai: FakeVoiceai
let service: ServiceProcess

beforeAll(async () => {
  place = await Place.prepared()
  telco = await FakeTelco.start()
  voiceai = await FakeVoiceai.start()
})
beforeEach(() => {
  telco.reset()
  voiceai.calm()
})
afterAll(async () => {
  await place.remove()
  await telco.stop()
  await voiceai.stop()
})

function openDatabase(): Promise<Database> {
  return place.databaseUrl === undefined ? openEmbedded(place.dataDir) : openServer(place.databaseUrl, POOL)
}

async function start(): Promise<void> {
  const providers = { TELCO_BASE_URL: telco.url, VOICEAI_BASE_URL: voiceai.url }
  service = await ServiceProcess.start({ ...place.env, ...providers, LOG_LEVEL: 'fatal' })
}

function call<Result>(model: string, method: string, args: object = {}): Promise<Result> {
  return service.call<Result>(place.localKey, model, method, args)
}

async function writeSettings(vals: object): Promise<void> {
  await call('connect.settings', 'write', { ids: await call('connect.settings', 'search'), vals })
}

async function transfer(sid: string): Promise<{ status: number; text: string }> {
  const [settings] = await call<{ voiceai_agent_token: string }[]>('connect.settings', 'search_read', {
    fields: ['voiceai_agent_token'],
  })
  const reply = await fetch(`${service.url}/connect_voiceai/transfer`, {
    method: 'POST',
    headers: { 'x-voiceai-agent-token': settings?.voiceai_agent_token ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ channel_sid: sid, exten: '101' }),
  })
  return { status: reply.status, text: await reply.text() }
}

test(
  'a transfer that is killed before the caller is redirected is redirected by its repeat',
  async () => {
    const sid = aSid()
    const db = await openDatabase()
    const leg = {
      technical_direction: 'inbound',
      status: 'in-progress',
      caller: '+41790000001',
      called: '+41310000000',
    }
    await insertRow(db, 'connect_channel', { sid, ...leg })
    await db.close()
    await start()
    await writeSettings({ auth_token: AUTH_TOKEN, account_sid: ACCOUNT_SID, api_url: PUBLIC_URL })
    const markup = await call<number>('connect.telco.markup', 'create', {
      vals_list: { name: 'Sales', markup: '<Response><Say>Sales</Say></Response>' },
    })
    await call('connect.telco.exten', 'create', {
      vals_list: { number: '101', model: 'connect.telco.markup', res_id: markup, is_published: true },
    })
    telco.on('POST', REDIRECT, () => {
      service.child.kill('SIGKILL')
      return { isCut: true }
    })
    await expect(transfer(sid)).rejects.toThrow()
    await service.exited()
    expect(telco.asked('POST', REDIRECT)).toHaveLength(1)
    await start()
    const answered = await eventually(async () => {
      const { status, text } = await transfer(sid)
      if (text.includes('Successful')) expect(telco.asked('POST', REDIRECT)).toHaveLength(2)
      return status === 200 && text
    })
    expect(answered).toContain('Transfer Successful')
    expect((await transfer(sid)).status).toBe(200)
    expect(telco.asked('POST', REDIRECT)).toHaveLength(2)
    await service.stop()
  },
  TEST_TIMEOUT_MS,
)

test(
  'a SYNC that is killed after a tool, and again after an agent, makes nothing twice',
  async () => {
    voiceai.voices = [{ voice_id: 'voice_1', name: 'Ann', labels: { accent: 'british', language: 'en' } }]
    await start()
    const voice = await call<number>('connect.voiceai_voice', 'create', {
      vals_list: { name: 'Ann', voice_id: 'voice_1' },
    })
    await call('connect.voiceai_agent', 'create', {
      vals_list: { name: 'Support', voice, prompt: 'You help callers.' },
    })
    await writeSettings({ voiceai_enabled: true, voiceai_api_key: voiceai.apiKey, api_url: PUBLIC_URL })
    // The platform makes what it was asked for; anyone who asked does not learn of it.
    const kill = async (): Promise<void> => void service.child.kill('SIGKILL')
    voiceai.fail({ method: 'POST', path: /agents\/create/, times: 1, before: kill })
    let isKilled = false
    const afterFour = async (): Promise<void> => {
      if (isKilled || voiceai.tools.size < 3) return
      isKilled = true
      await kill()
    }
    voiceai.fail({ method: 'POST', path: /convai\/tools/, before: afterFour })
    const { run_id: id } = await call<{ run_id: number }>('connect.settings', 'voiceai_sync')
    for (const held of [voiceai.tools, voiceai.agents]) {
      await service.exited()
      expect(held.size).toBeGreaterThan(0)
      const asked = voiceai.asked.length
      await start()
      await eventually(async () => voiceai.asked.length > asked)
    }
    await eventually(async () => {
      const [run] = await call<{ state: string }[]>('connect.sync_run', 'read', { ids: [id], fields: ['state'] })
      return run?.state === 'done'
    })
    expect([...voiceai.tools.values()].map(({ name }) => name)).toHaveLength(12)
    expect(new Set([...voiceai.tools.values()].map(({ name }) => name)).size).toBe(12)
    expect([...voiceai.agents.values()]).toMatchObject([{ name: 'Support' }])
    expect(await service.stop()).toBe(0)
  },
  TEST_TIMEOUT_MS,
)
