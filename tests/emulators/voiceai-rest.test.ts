import type { ElevenLabs, ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { wordsIn } from '../../emulators/audio.ts'
import { startVoiceaiEmulator, type VoiceaiEmulator } from '../../emulators/voiceai/start.ts'
import { voiceaiRefusalOf, voiceaiSdkFor } from './voiceai-sdk.ts'

let voiceai: VoiceaiEmulator
let sdk: ElevenLabsClient
let ca: ElevenLabsClient['conversationalAi']

beforeAll(async () => {
  voiceai = await startVoiceaiEmulator()
  sdk = voiceaiSdkFor(voiceai)
  ca = sdk.conversationalAi
})
afterAll(() => voiceai.stop())
afterEach(() => voiceai.problems.check())

const TOOL: ElevenLabs.ToolRequestModelToolConfig.Webhook = {
  type: 'webhook',
  name: 'helpdesk_create_ticket',
  description: 'Creates a ticket',
  responseTimeoutSecs: 20,
  toolErrorHandlingMode: 'passthrough',
  dynamicVariables: { dynamicVariablePlaceholders: { call_id: 'test_call_id' } },
  apiSchema: {
    url: 'https://pbx.example.com/connect_voiceai_helpdesk/create_ticket',
    method: 'POST',
    requestHeaders: { 'x-voiceai-agent-token': 'token' },
    requestBodySchema: {
      type: 'object',
      required: ['subject', 'call_id'],
      properties: {
        subject: { type: 'string', description: 'What it is about' },
        call_id: { type: 'integer', dynamicVariable: 'call_id' },
      },
    },
  },
}

const AGENT = {
  name: 'Support',
  conversationConfig: {
    agent: {
      firstMessage: 'Hello {{greeting}}',
      language: 'en',
      dynamicVariables: { dynamic_variable_placeholders: { greeting: 'you' } },
      prompt: { prompt: 'Help {{greeting}}', llm: 'gpt-4o' },
    },
    tts: { voiceId: 'EmulatedVoiceAlice0001', modelId: 'eleven_flash_v2' },
  },
  platformSettings: { overrides: { enableConversationInitiationClientDataFromWebhook: true } },
} as const

function createAgent(changes: object = {}): Promise<{ agentId: string }> {
  return ca.agents.create({ ...AGENT, ...changes } as never)
}

test('a wrong key is refused', async () => {
  const refusal = await voiceaiRefusalOf(voiceaiSdkFor(voiceai, 'wrong').voices.getAll())
  expect(refusal).toMatchObject({ statusCode: 401, body: { detail: { status: 'invalid_api_key' } } })
})

test('voices are listed whole, in pages and one by one', async () => {
  const { voices } = await sdk.voices.getAll()
  expect(voices.map(({ name }) => name)).toEqual(['Alice', 'Brian'])
  expect(voices[0]).toMatchObject({ labels: { gender: 'female' }, previewUrl: expect.any(String) })
  const page = await sdk.voices.search({ pageSize: 1 })
  expect(page).toMatchObject({ hasMore: true, nextPageToken: '1', totalCount: 2 })
  expect((await sdk.voices.get(voices[1]?.voiceId ?? '')).name).toBe('Brian')
  expect(await voiceaiRefusalOf(sdk.voices.get('nobody'))).toMatchObject({ statusCode: 404 })
})

test('speech is an mp3 that carries its words', async () => {
  const stream = await sdk.textToSpeech.convert('EmulatedVoiceAlice0001', {
    text: 'Welcome to Acme.',
    modelId: 'eleven_flash_v2_5',
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(chunk)
  expect(wordsIn(Buffer.concat(chunks))).toBe('Welcome to Acme.')
  expect(await voiceaiRefusalOf(sdk.textToSpeech.convert('nobody', { text: 'x' }))).toMatchObject({ statusCode: 404 })
  expect(await voiceaiRefusalOf(sdk.textToSpeech.convert('EmulatedVoiceAlice0001', { text: ' ' }))).toMatchObject({
    statusCode: 422,
  })
})

test('webhooks tell their secret once, keep their address, and are not deleted while they are used', async () => {
  const settings = { authType: 'hmac', name: 'connect', webhookUrl: 'https://pbx.example.com/post_call' } as const
  const { webhookId, webhookSecret } = await sdk.webhooks.create({ settings })
  expect(webhookSecret).toMatch(/^wsec_[0-9a-f]{64}$/)
  const { webhooks } = await sdk.webhooks.list({})
  expect(webhooks).toHaveLength(1)
  expect(webhooks[0]).toMatchObject({ webhookId, isDisabled: false, webhookUrl: settings.webhookUrl })
  expect(JSON.stringify(webhooks)).not.toContain(webhookSecret)
  await sdk.webhooks.update(webhookId, { isDisabled: false, name: 'connect', retryEnabled: true })
  expect(
    await voiceaiRefusalOf(sdk.webhooks.create({ settings: { ...settings, webhookUrl: 'http://plain' } })),
  ).toMatchObject({ name: 'UnprocessableEntityError', statusCode: 422 })
  await ca.settings.update({
    webhooks: { postCallWebhookId: webhookId, events: ['transcript'], transcriptFormat: 'json' },
  })
  expect((await ca.settings.get()).webhooks).toMatchObject({ postCallWebhookId: webhookId, events: ['transcript'] })
  expect(await voiceaiRefusalOf(sdk.webhooks.delete(webhookId))).toMatchObject({ statusCode: 400 })
  await ca.settings.update({ webhooks: { postCallWebhookId: null as never } })
  await sdk.webhooks.delete(webhookId)
  expect(await voiceaiRefusalOf(ca.settings.update({ webhooks: { postCallWebhookId: webhookId } }))).toMatchObject({
    statusCode: 404,
  })
})

test('secrets keep their value, and headers may refer to them', async () => {
  const { secretId } = await ca.secrets.create({ name: 'token', value: 'hidden' })
  expect(JSON.stringify(await ca.secrets.list())).not.toContain('hidden')
  const url = 'https://pbx.example.com/initiation'
  const initiation = { url, requestHeaders: { 'x-voiceai-agent-token': { secretId } } }
  await ca.settings.update({ conversationInitiationClientDataWebhook: initiation })
  expect((await ca.settings.get()).conversationInitiationClientDataWebhook).toMatchObject({ url })
  expect(await voiceaiRefusalOf(ca.secrets.delete(secretId))).toMatchObject({ statusCode: 409 })
  await ca.secrets.update(secretId, { name: 'token', value: 'other' })
  await ca.settings.update({ conversationInitiationClientDataWebhook: { url, requestHeaders: {} } })
  await ca.secrets.delete(secretId)
  expect(await voiceaiRefusalOf(ca.secrets.get(secretId))).toMatchObject({ statusCode: 404 })
})

test('tools are created, read back as they were pushed, changed and deleted', async () => {
  const { id } = await ca.tools.create({ toolConfig: TOOL })
  expect((await ca.tools.get(id)).toolConfig).toMatchObject({ name: TOOL.name, apiSchema: { url: TOOL.apiSchema.url } })
  await ca.tools.update(id, { toolConfig: { ...TOOL, description: 'Other' } })
  expect((await ca.tools.list({ search: 'create_ticket' })).tools[0]?.toolConfig).toMatchObject({
    description: 'Other',
  })
  const { agentId } = await createAgent({
    conversationConfig: { ...AGENT.conversationConfig, agent: { prompt: { toolIds: [id] } } },
  })
  expect((await ca.tools.getDependentAgents(id)).agents).toHaveLength(1)
  expect(await voiceaiRefusalOf(ca.tools.delete(id))).toMatchObject({ statusCode: 409 })
  await ca.tools.delete(id, { force: true })
  expect(await voiceaiRefusalOf(ca.tools.get(id))).toMatchObject({ statusCode: 404 })
  await ca.agents.delete(agentId)
})

test('tools are listed in pages', async () => {
  for (let count = 0; count < 5; count += 1) await ca.tools.create({ toolConfig: { ...TOOL, name: `tool_${count}` } })
  const first = await ca.tools.list({ pageSize: 2 })
  expect(first).toMatchObject({ hasMore: true, nextCursor: '2' })
  const last = await ca.tools.list({ pageSize: 2, cursor: '4' })
  expect(last.tools).toHaveLength(1)
  expect(last.hasMore).toBe(false)
})

test.each([
  ['a name with blanks', { ...TOOL, name: 'create ticket' }, ['body', 'tool_config', 'name']],
  ['a time limit of a second', { ...TOOL, responseTimeoutSecs: 1 }, ['body', 'tool_config', 'response_timeout_secs']],
  [
    'no valid address',
    { ...TOOL, apiSchema: { ...TOOL.apiSchema, url: 'nowhere' } },
    ['body', 'tool_config', 'api_schema', 'url'],
  ],
  [
    'a parameter with two sources',
    {
      ...TOOL,
      apiSchema: {
        ...TOOL.apiSchema,
        requestBodySchema: {
          type: 'object',
          properties: { a: { type: 'string', description: 'x', dynamicVariable: 'y' } },
        },
      },
    },
    ['body', 'tool_config', 'api_schema', 'request_body_schema', 'properties', 'a'],
  ],
  [
    'a name in its address that has no schema',
    { ...TOOL, apiSchema: { ...TOOL.apiSchema, url: 'https://crm.example.com/contacts/{id}' } },
    ['body', 'tool_config', 'api_schema', 'path_params_schema', 'required'],
  ],
  [
    'a schema for a name that its address has not',
    { ...TOOL, apiSchema: { ...TOOL.apiSchema, pathParamsSchema: { id: { type: 'string', description: 'x' } } } },
    ['body', 'tool_config', 'api_schema', 'path_params_schema', 'id'],
  ],
])('a tool with %s is refused, at the place where it is wrong', async (_name, toolConfig, loc) => {
  const refusal = await voiceaiRefusalOf(ca.tools.create({ toolConfig } as never))
  expect(refusal).toMatchObject({ name: 'UnprocessableEntityError', statusCode: 422, body: { detail: [{ loc }] } })
})

test.each(['GET', 'DELETE'] as const)('a body for a %s tool is a problem, because it is never sent', async (method) => {
  await ca.tools.create({ toolConfig: { ...TOOL, apiSchema: { ...TOOL.apiSchema, method } } })
  expect(voiceai.problems.take(/request has no body: its parameters are lost/)).toHaveLength(1)
})

test('a body of the wrong shape is refused, and names that nobody knows are a problem', async () => {
  const post = (body: unknown) =>
    fetch(`${voiceai.url}/v1/convai/tools`, {
      method: 'POST',
      headers: { 'xi-api-key': voiceai.workspace.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const missing = await post({
    tool_config: { type: 'webhook', name: 'x', api_schema: { url: 'https://x.example.com' } },
  })
  expect([missing.status, await missing.json()]).toMatchObject([
    422,
    { detail: [{ loc: ['body', 'tool_config', 'description'], type: 'missing' }] },
  ])
  const config = {
    type: 'webhook',
    name: 'x',
    description: 'd',
    apiSchema: {},
    api_schema: { url: 'https://x.example.com' },
  }
  expect((await post({ tool_config: config })).status).toBe(200)
  expect(voiceai.problems.take(/Unexpected key "apiSchema"/)).toHaveLength(1)
})

test('agents are created, changed in part, listed and deleted', async () => {
  const { agentId } = await createAgent()
  await ca.agents.update(agentId, { conversationConfig: { agent: { firstMessage: 'Good day' } } })
  const agent = await ca.agents.get(agentId)
  expect(agent.conversationConfig.agent).toMatchObject({
    firstMessage: 'Good day',
    language: 'en',
    prompt: { prompt: 'Help {{greeting}}' },
  })
  expect(agent.platformSettings?.overrides?.enableConversationInitiationClientDataFromWebhook).toBe(true)
  expect((await ca.agents.list({ search: 'supp' })).agents[0]).toMatchObject({ agentId, name: 'Support' })
  await ca.agents.delete(agentId)
  expect(await voiceaiRefusalOf(ca.agents.get(agentId))).toMatchObject({ statusCode: 404 })
})

test.each([
  ['an unknown tool', { agent: { prompt: { toolIds: ['tool_nobody'] } } }, 404],
  ['an unknown voice', { tts: { voiceId: 'nobody' } }, 404],
  ['the wrong model for English', { tts: { modelId: 'eleven_flash_v2_5' } }, 400],
  ['the wrong model for German', { agent: { language: 'de' }, tts: { modelId: 'eleven_flash_v2' } }, 400],
  ['a conversation of less than a minute', { conversation: { maxDurationSeconds: 59 } }, 422],
  ['a conversation of more than two hours', { conversation: { maxDurationSeconds: 7_201 } }, 422],
  ['no patience with the caller', { turn: { turnTimeout: 0.5 } }, 422],
  ['too much patience with the caller', { turn: { turnTimeout: 31 } }, 422],
  [
    'nobody to transfer to',
    {
      agent: {
        prompt: {
          builtInTools: {
            transferToAgent: {
              name: 'transfer_to_agent',
              params: { systemToolType: 'transfer_to_agent', transfers: [] },
            },
          },
        },
      },
    },
    422,
  ],
])('an agent with %s is refused', async (_name, conversationConfig, statusCode) => {
  expect(await voiceaiRefusalOf(createAgent({ conversationConfig }))).toMatchObject({ statusCode })
})

test('variables of an agent are snake_case, or they are never read', async () => {
  const agent = { ...AGENT.conversationConfig.agent, dynamicVariables: { dynamicVariablePlaceholders: {} } }
  await createAgent({ conversationConfig: { ...AGENT.conversationConfig, agent } })
  expect(voiceai.problems.take(/Unexpected key "dynamicVariablePlaceholders"/)).toHaveLength(1)
})

test('numbers lead to agents, once each', async () => {
  const { agentId } = await createAgent()
  const number = {
    provider: 'sip_trunk' as const,
    phoneNumber: agentId,
    label: 'Support',
    agentId,
    inboundTrunkConfig: { allowedAddresses: ['54.172.60.0/30'] },
  }
  const { phoneNumberId } = await ca.phoneNumbers.create(number)
  expect(await ca.phoneNumbers.get(phoneNumberId)).toMatchObject({ phoneNumber: agentId, assignedAgent: { agentId } })
  expect(await voiceaiRefusalOf(ca.phoneNumbers.create(number))).toMatchObject({ statusCode: 409 })
  await ca.phoneNumbers.update(phoneNumberId, { label: 'Other', inboundTrunkConfig: { allowedAddresses: [] } })
  expect(await ca.phoneNumbers.list()).toHaveLength(1)
  await ca.phoneNumbers.delete(phoneNumberId)
  expect(await ca.phoneNumbers.list()).toEqual([])
  expect(await voiceaiRefusalOf(ca.phoneNumbers.create({ ...number, agentId: 'agent_nobody' }))).toMatchObject({
    statusCode: 404,
  })
})

test('a call is registered whatever data comes with it, as long as there is an agent', async () => {
  const { agentId } = await createAgent({
    conversationConfig: { ...AGENT.conversationConfig, agent: { firstMessage: 'Hello {{greeting}}' } },
  })
  const call = { agentId, fromNumber: '+14155550100', toNumber: '+14155550199' }
  const clientData = (dynamicVariables: Record<string, unknown>) => ({
    ...call,
    conversationInitiationClientData: { dynamicVariables },
  })
  for (const given of [{ greeting: 'Zoe' }, {}]) {
    const markup = await ca.twilio.registerCall(clientData(given) as never)
    expect(markup).toContain('<Connect><Stream url="wss://api.elevenlabs.io/')
  }
  expect(await voiceaiRefusalOf(ca.twilio.registerCall({ ...call, agentId: 'nobody' }))).toMatchObject({
    statusCode: 404,
  })
})

test('the markup of a registered call is announced as a page', async () => {
  const { agentId } = await createAgent()
  const answer = await fetch(`${voiceai.url}/v1/convai/twilio/register-call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'xi-api-key': voiceai.workspace.apiKey },
    body: JSON.stringify({
      agent_id: agentId,
      from_number: '+14155550100',
      to_number: '+14155550199',
      conversation_initiation_client_data: {},
    }),
  })
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  expect(await answer.text()).toContain('<Connect>')
})

test('what the API does not know is a problem, not a silence', async () => {
  expect(await voiceaiRefusalOf(ca.mcpServers.list())).toMatchObject({ statusCode: 404 })
  expect(voiceai.problems.take(/mcp-servers is not known here/)).toHaveLength(1)
})
