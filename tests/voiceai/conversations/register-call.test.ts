import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { AgentCall, AgentConnector } from '../../../src/ports/agent-connector.ts'
import { phoneDirectory } from '../../../src/telco/routing/phone-directory.ts'
import { DYNAMIC_VARIABLES } from '../../../src/voiceai/conversations/dynamic-variables.ts'
import { agentConnector } from '../../../src/voiceai/conversations/register-call.ts'
import { aVoiceAgent, markPushed } from '../../fixtures/records.ts'
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

/** So long that a busy machine does not use it up. */
const TIMEOUT_MS = 60_000

let fake: FakeVoiceai
let app: TestApp
let connector: AgentConnector

beforeAll(async () => {
  fake = await FakeVoiceai.start()
  app = await TestApp.start()
  const { platform, identities, agents } = app.app
  connector = agentConnector({ platform, identities, db: app.db, directory: phoneDirectory, agents, baseUrl: fake.url })
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

test('nothing is asked without an API key', async () => {
  expect(await connector.registerCall(CALL, TIMEOUT_MS)).toBeUndefined()
  expect(fake.asked).toEqual([])
})

test('registers the call with everything the agent may name, and answers the markup', async () => {
  await setKey(fake.apiKey)
  const partner = await app.admin.ask<number>('res.partner', 'create', {
    vals_list: { name: 'Zoe', phone: '+1 415 555 0100', lang: 'de_DE' },
  })
  expect(await connector.registerCall(CALL, TIMEOUT_MS)).toBe(fake.markup)
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
        },
      },
    },
  ])
  const told = fake.asked[0]?.body.conversation_initiation_client_data as Record<string, object>
  expect(Object.keys(told.dynamic_variables ?? {})).toEqual([...DYNAMIC_VARIABLES])
  expect(Object.keys(told)).toEqual(['dynamic_variables'])
})

test('the agent is asked for a language, and given every variable, that the platform has it with', async () => {
  const agent = await aVoiceAgent(app, 'agent_2')
  const vals = {
    prompt: 'For {{tier}}, see {{partner_name}} and {{sip_connect_call_ref}} at {{system__time}}.',
    additional_languages: await app.admin.ask('res.lang', 'search', { domain: [['code', '=', 'de_DE']] }),
  }
  await app.admin.ask('connect.voiceai_agent', 'write', { ids: [agent], vals })
  await markPushed(app, agent)
  const call = await app.admin.ask<number>('connect.call', 'create', { vals_list: { caller: CALL.from } })
  await connector.registerCall({ ...CALL, agentUid: 'agent_2', callId: call }, TIMEOUT_MS)
  expect(fake.asked[0]?.body).toMatchObject({
    conversation_initiation_client_data: {
      dynamic_variables: { tier: '', partner_name: 'Zoe', sip_connect_call_ref: String(call) },
      conversation_config_override: { agent: { language: 'de' } },
    },
  })
  expect(JSON.stringify(fake.asked[0]?.body)).not.toContain('system__')
})

test('an agent that is not set to the audio of telephones is not registered', async () => {
  const agent = await aVoiceAgent(app, 'agent_3')
  const ask = () => connector.registerCall({ ...CALL, agentUid: 'agent_3' }, TIMEOUT_MS)
  expect(await ask()).toBe(fake.markup)
  await app.admin.ask('connect.voiceai_agent', 'write', { ids: [agent], vals: { output_audio_format: 'pcm_16000' } })
  fake.calm()
  expect(await ask()).toBeUndefined()
  expect(fake.asked).toEqual([])
})

test('our own call is named by its id', async () => {
  const call = await app.admin.ask<number>('connect.call', 'create', { vals_list: { caller: '+14155550123' } })
  await connector.registerCall({ ...CALL, callId: call }, TIMEOUT_MS)
  expect(fake.asked[0]?.body).toMatchObject({
    conversation_initiation_client_data: { dynamic_variables: { call_id: String(call) } },
  })
})

test('markup that comes as a JSON text is taken out of it', async () => {
  fake.fail({ path: /register-call/, body: JSON.stringify('<Response><Hangup/></Response>') })
  expect(await connector.registerCall(CALL, TIMEOUT_MS)).toBe('<Response><Hangup/></Response>')
})

test.each([
  ['a refusal', { status: 422, body: { detail: { message: 'agent unknown' } } }, /refused it.*agent unknown/],
  ['a failure', { status: 500 }, /failed \(status 500\)/],
  ['an answer that is no markup', { body: { ok: true } }, /no markup/],
  ['a lost connection', { isCut: true }, /cannot be reached/],
  ['a redirect', { status: 307, headers: { location: 'https://example.com' } }, /cannot be reached/],
])('%s is an error in one sentence, asked for once only', async (_what, failure, sentence) => {
  fake.fail({ path: /register-call/, ...failure })
  const thrown = connector.registerCall(CALL, TIMEOUT_MS)
  await expect(thrown).rejects.toMatchObject({ name: 'ProviderUnavailable', message: expect.stringMatching(sentence) })
  expect(fake.asked).toHaveLength(1)
})

test.each([
  ['fails', () => Promise.reject(new Error('the database is away'))],
  ['takes too long', () => new Promise<never>(() => undefined)],
])('a call whose caller nobody can tell of, because the look-up %s, is registered all the same', async (_how, look) => {
  const { platform, identities, agents } = app.app
  const directory = { ...phoneDirectory, listUsers: look }
  const parts = { platform, identities, db: app.db, directory, agents, baseUrl: fake.url }
  expect(await agentConnector(parts).registerCall(CALL, TIMEOUT_MS)).toBe(fake.markup)
  const told = fake.asked[0]?.body.conversation_initiation_client_data as { dynamic_variables: Record<string, string> }
  // The platform ends a conversation in which a variable is missing.
  expect(Object.keys(told.dynamic_variables)).toEqual([...DYNAMIC_VARIABLES])
  expect(told.dynamic_variables).toMatchObject({ partner_id: '', partner_name: '' })
})

test('the caller never waits longer than the time given', async () => {
  const release = Promise.withResolvers<void>()
  onTestFinished(() => release.resolve())
  // It answers only once nobody waits for it any more.
  fake.fail({ path: /register-call/, before: () => release.promise })
  await expect(connector.registerCall(CALL, 300)).rejects.toThrow(/did not answer in time/)
})
