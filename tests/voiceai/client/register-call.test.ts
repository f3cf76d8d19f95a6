import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AgentCall, AgentConnector } from '../../../src/ledger/agent-connector.ts'
import { phoneDirectory } from '../../../src/telco/routing/phone-directory.ts'
import { agentConnector } from '../../../src/voiceai/client/register-call.ts'
import { DYNAMIC_VARIABLES } from '../../../src/voiceai/webhooks/dynamic-variables.ts'
import { FakeVoiceai } from '../../support/fake-voiceai.ts'
import { TestApp } from '../../support/test-app.ts'

const CALL: AgentCall = {
  agentUid: 'agent_1',
  callId: undefined,
  callSid: 'CA00000000000000000000000000000001',
  from: '+14155550100',
  to: '+14155550199',
  direction: 'inbound',
}

let fake: FakeVoiceai
let app: TestApp
let connector: AgentConnector

beforeAll(async () => {
  fake = await FakeVoiceai.start()
  app = await TestApp.start()
  const { platform, identities } = app.app
  connector = agentConnector({ platform, identities, db: app.db, directory: phoneDirectory, baseUrl: fake.url })
})
beforeEach(() => fake.calm())
afterAll(async () => {
  await app.stop()
  await fake.stop()
})

async function setKey(key: string | null): Promise<void> {
  const [id] = await app.admin.ask<number[]>('connect.settings', 'search')
  await app.admin.ask('connect.settings', 'write', { ids: [id], vals: { voiceai_api_key: key } })
}

test('without an API key nothing is asked', async () => {
  expect(await connector.registerCall(CALL, 1_000)).toBeUndefined()
  expect(fake.asked).toEqual([])
})

test('registers the call with everything the agent may name, and answers the markup', async () => {
  await setKey(fake.apiKey)
  const partner = await app.admin.ask<number>('res.partner', 'create', {
    vals_list: { name: 'Zoe', phone: '+1 415 555 0100', lang: 'de_DE' },
  })
  expect(await connector.registerCall(CALL, 2_000)).toBe(fake.markup)
  expect(fake.asked).toMatchObject([
    {
      method: 'POST',
      path: '/v1/convai/twilio/register-call',
      headers: { 'xi-api-key': fake.apiKey },
      body: {
        agent_id: 'agent_1',
        from_number: '+14155550100',
        to_number: '+14155550199',
        direction: 'inbound',
        conversation_initiation_client_data: {
          dynamic_variables: {
            partner_id: String(partner),
            partner_name: 'Zoe',
            caller_number: '+14155550100',
            called_number: '+14155550199',
            channel_sid: CALL.callSid,
          },
          conversation_config_override: { agent: { language: 'de' } },
        },
      },
    },
  ])
  const told = fake.asked[0]?.body.conversation_initiation_client_data as Record<string, object>
  expect(Object.keys(told.dynamic_variables ?? {})).toEqual([...DYNAMIC_VARIABLES])
  expect(told).not.toHaveProperty('type')
})

test('our own call is named by its id', async () => {
  const call = await app.admin.ask<number>('connect.call', 'create', { vals_list: {} })
  await connector.registerCall({ ...CALL, callId: call }, 2_000)
  expect(fake.asked[0]?.body).toMatchObject({
    conversation_initiation_client_data: { dynamic_variables: { call_id: String(call) } },
  })
})

test('markup that comes as a JSON text is taken out of it', async () => {
  fake.fail({ path: /register-call/, body: JSON.stringify('<Response><Hangup/></Response>') })
  expect(await connector.registerCall(CALL, 1_000)).toBe('<Response><Hangup/></Response>')
})

test.each([
  ['a refusal', { status: 422, body: { detail: { message: 'agent unknown' } } }, /refused it.*agent unknown/],
  ['a failure', { status: 500 }, /failed \(status 500\)/],
  ['an answer that is no markup', { body: { ok: true } }, /no markup/],
  ['a lost connection', { isCut: true }, /cannot be reached/],
  ['a redirect', { status: 307, headers: { location: 'https://example.com' } }, /cannot be reached/],
])('%s is an error in one sentence, asked for once only', async (_what, failure, sentence) => {
  fake.fail({ path: /register-call/, ...failure })
  const thrown = connector.registerCall(CALL, 1_000)
  await expect(thrown).rejects.toMatchObject({ name: 'ProviderUnavailable', message: expect.stringMatching(sentence) })
  expect(fake.asked).toHaveLength(1)
})

test('the caller never waits longer than the time given', async () => {
  fake.fail({ path: /register-call/, before: () => new Promise((resolve) => setTimeout(resolve, 12_000)) })
  const started = performance.now()
  await expect(connector.registerCall(CALL, 300)).rejects.toThrow(/did not answer in time/)
  expect(performance.now() - started).toBeLessThan(10_000)
})
