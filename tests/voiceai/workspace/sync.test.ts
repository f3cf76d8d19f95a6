import { afterAll, beforeAll, expect, test } from 'vitest'
import { AGENT_TOOLS } from '../../../src/app/webhooks/agent-tools.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { DYNAMIC_VARIABLES } from '../../../src/voiceai/conversations/dynamic-variables.ts'
import { type Run, SyncApp } from '../sync/sync-app.ts'

const API_URL = 'https://pbx.example.com'
const HEADER = 'x-voiceai-agent-token'

let at: SyncApp
let first: Run
let firstRequests: string[]
let oldToken: string

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
  oldToken = at.app.token
  first = await at.run()
  firstRequests = at.fake.requests({ withReads: true })
})
afterAll(() => at.stop())

async function token(): Promise<string> {
  return (await at.app.app.platform.settings.get()).voiceaiAgentToken ?? ''
}

function ask(agentToken: string): Promise<{ status: number }> {
  return at.app.post('/connect_voiceai/get_current_date', {}, { [HEADER]: agentToken })
}

test('works through its steps in the fixed order and says what it did', () => {
  expect(first).toMatchObject({ state: 'done', step: 'agents', errors: [], summary: 'Everything is in sync.' })
  expect(first.counts).toEqual({
    voices: { found: 1, created: 1 },
    'language models': {},
    token: {},
    'initiation webhook': {},
    'post-call webhook': { created: 1 },
    tools: { total: 12, created: 12 },
    knowledge: { total: 0 },
    agents: { total: 0 },
  })
  expect(firstRequests).toEqual([
    'GET /v1/voices',
    'GET /v1/convai/settings',
    'GET /v1/convai/llm/list',
    'PATCH /v1/convai/settings',
    'GET /v1/workspace/webhooks',
    'POST /v1/workspace/webhooks',
    'PATCH /v1/workspace/webhooks/webhook_1',
    'PATCH /v1/convai/settings',
    ...Array.from({ length: 12 }, () => 'POST /v1/convai/tools'),
  ])
})

test('the first SYNC brings the voices in and picks a default one', async () => {
  const voices = await at.app.admin.ask<object[]>('connect.voiceai_voice', 'search_read', {
    fields: ['voice_id', 'name', 'accent', 'language', 'age'],
  })
  expect(voices).toMatchObject([{ voice_id: 'voice_1', name: 'Ann', accent: 'british', language: 'en', age: null }])
  const [settings] = await at.app.admin.ask<{ voiceai_voice: [number, string] }[]>('connect.settings', 'search_read', {
    fields: ['voiceai_voice'],
  })
  expect(settings?.voiceai_voice[1]).toBe('Ann')
})

test('the token was changed: the old one is refused at once, the new one opens, and the platform has it everywhere', async () => {
  const current = await token()
  expect(current).toMatch(/^[0-9a-f-]{36}$/)
  expect(current).not.toBe(oldToken)
  expect((await ask(oldToken)).status).toBe(401)
  expect((await ask(current)).status).toBe(200)
  expect(at.fake.settings.conversation_initiation_client_data_webhook).toEqual({
    url: `${API_URL}/connect_voiceai/conversation_initiation`,
    request_headers: { [HEADER]: current },
  })
  for (const config of at.fake.tools.values()) {
    expect(config).toMatchObject({ api_schema: { request_headers: { [HEADER]: current } } })
  }
})

test('transcripts are delivered to a webhook of ours, whose secret is kept', async () => {
  expect([...at.fake.webhooks.values()]).toMatchObject([
    {
      webhook_id: 'webhook_1',
      name: expect.stringMatching(/^connect post_call \([0-9a-f-]{36}\)$/),
      webhook_url: `${API_URL}/connect_voiceai/post_call`,
      auth_type: 'hmac',
      retry_enabled: true,
    },
  ])
  expect(at.fake.settings.webhooks).toEqual({
    post_call_webhook_id: 'webhook_1',
    events: ['transcript', 'call_initiation_failure'],
    transcript_format: 'json',
  })
  const settings = await at.app.app.platform.settings.get()
  expect(settings.postCallSecrets).toEqual([at.fake.webhooks.get('webhook_1')?.webhook_secret])
  expect(settings.postCallWebhookId).toBe('webhook_1')
})

test.each(AGENT_TOOLS)('the platform holds $name as it is declared', ({ name, path, timeoutSeconds, parameters }) => {
  const config = at.fake.toolNamed(name)?.config
  const dynamic = parameters.filter((each) => each.description === undefined).map((each) => each.name)
  expect(config).toMatchObject({
    type: 'webhook',
    name,
    response_timeout_secs: timeoutSeconds,
    tool_error_handling_mode: 'passthrough',
    dynamic_variables: {
      dynamic_variable_placeholders: Object.fromEntries(dynamic.map((each) => [each, `test_${each}`])),
    },
    api_schema: {
      url: API_URL + path,
      method: 'POST',
      request_body_schema: {
        type: 'object',
        required: parameters.filter((each) => each.isRequired).map((each) => each.name),
        properties: Object.fromEntries(
          parameters.map(({ name: key, type, description }) => [
            key,
            description === undefined ? { type, dynamic_variable: key } : { type, description },
          ]),
        ),
      },
    },
  })
})

test('the helpdesk tools wait 20 s and take the parameters of the contract', () => {
  const named = [...at.fake.tools.values()].filter((config) => String(config.name).startsWith('helpdesk_'))
  expect(named.map((config) => config.response_timeout_secs)).toEqual([20, 20, 20, 20, 20])
  expect(at.fake.toolNamed('helpdesk_create_ticket')?.config.api_schema).toMatchObject({
    request_body_schema: {
      required: ['subject', 'call_id'],
      properties: {
        subject: { type: 'string' },
        description: { type: 'string' },
        team_name: { type: 'string' },
        partner_id: { type: 'integer', dynamic_variable: 'partner_id' },
        call_id: { type: 'integer', dynamic_variable: 'call_id' },
      },
    },
  })
})

test('every tool knows its id at the platform and that it is in sync; system tools have none', async () => {
  const tools = await at.app.db.query<{ name: string; tool_type: string; tool_id: string | null; synced: boolean }>(
    sql`select name, tool_type, tool_id, synced from connect_voiceai_agent_tool order by id`,
  )
  for (const { name, tool_type: type, tool_id: id, synced } of tools) {
    expect({ name, id, synced }).toEqual(
      type === 'system' ? { name, id: null, synced: false } : { name, id: at.fake.toolNamed(name)?.id, synced: true },
    )
  }
})

test('a second SYNC updates what is there, creates nothing twice, and changes the token again', async () => {
  const before = await token()
  at.fake.calm()
  const run = await at.run()
  expect(run).toMatchObject({ state: 'done', errors: [] })
  expect(run.counts.tools).toEqual({ total: 12, updated: 12 })
  expect(run.counts['post-call webhook']).toEqual({ kept: 1 })
  expect(at.fake.requests().filter((each) => each.startsWith('POST'))).toEqual([])
  expect(at.fake.tools.size).toBe(12)
  expect(await token()).not.toBe(before)
  expect((await ask(before)).status).toBe(401)
})

test('an agent is created with everything it needs, then updated, and reached by a number of its own', async () => {
  const tools = await Promise.all(
    ['helpdesk_create_ticket', 'end_call', 'play_keypad_touch_tone'].map((name) => at.toolId(name)),
  )
  await at.settings({ voiceai_enabled: false })
  const [german] = await at.app.admin.ask<number[]>('res.lang', 'search', { domain: [['code', '=', 'de_DE']] })
  const id = await at.makeAgent({
    first_message: 'Hello!',
    first_message_translations: { de: 'Guten Tag!', fr: 'Bonjour !' },
    additional_languages: [german],
    tools,
    max_tokens: 300,
    voiceai_inbound_allowed_ips: '192.0.2.1, 198.51.100.0/24',
  })
  await at.settings({ voiceai_enabled: true })
  at.fake.calm()
  const run = await at.run()
  expect(run.counts.agents).toEqual({ total: 1, created: 1, updated: 1 })
  expect(at.fake.requests().filter((each) => /agents|phone/.test(each))).toEqual([
    'POST /v1/convai/agents/create',
    'POST /v1/convai/phone-numbers',
    expect.stringMatching(/^PATCH \/v1\/convai\/phone-numbers\/phnum_\d+$/),
    expect.stringMatching(/^PATCH \/v1\/convai\/agents\/agent_\d+$/),
  ])
  const [[uid, agent] = ['', {}]] = [...at.fake.agents]
  const [[numberId, number] = ['', {}]] = [...at.fake.numbers]
  expect(
    await at.read('connect.voiceai_agent', id, ['agent_uid', 'voiceai_virtual_number_uid', 'synced']),
  ).toMatchObject({
    agent_uid: uid,
    voiceai_virtual_number_uid: numberId,
    synced: true,
  })
  expect(number).toMatchObject({
    provider: 'sip_trunk',
    phone_number: uid,
    agent_id: uid,
    inbound_trunk_config: { allowed_addresses: ['192.0.2.1', '198.51.100.0/24'] },
  })
  expect(agent).toMatchObject({
    name: 'Support',
    conversation_config: {
      agent: {
        first_message: 'Hello!',
        language: 'en',
        dynamic_variables: {
          dynamic_variable_placeholders: Object.fromEntries(DYNAMIC_VARIABLES.map((each) => [each, `test_${each}`])),
        },
        prompt: {
          prompt: expect.stringMatching(
            /^You help callers\.[\s\S]*\{\{previous_topics\}\}[\s\S]*\{\{available_extensions\}\}/,
          ),
          llm: 'gpt-5.2',
          temperature: 0,
          max_tokens: 300,
          tool_ids: [at.fake.toolNamed('helpdesk_create_ticket')?.id],
          built_in_tools: {
            end_call: {
              name: 'end_call',
              interruption_mode: 'disable_during_tool',
              params: { system_tool_type: 'end_call' },
            },
            play_keypad_touch_tone: {
              interruption_mode: 'allow',
              params: { system_tool_type: 'play_keypad_touch_tone', use_out_of_band_dtmf: false },
            },
            skip_turn: null,
          },
        },
      },
      asr: { user_input_audio_format: 'ulaw_8000' },
      tts: {
        voice_id: 'voice_1',
        model_id: 'eleven_flash_v2',
        stability: 0.5,
        similarity_boost: 0.8,
        speed: 1,
        agent_output_audio_format: 'ulaw_8000',
      },
      turn: { turn_timeout: 7, silence_end_call_timeout: 10 },
      conversation: { max_duration_seconds: 600 },
      language_presets: { de: { overrides: { agent: { language: 'de', first_message: 'Guten Tag!' } } } },
    },
    platform_settings: {
      overrides: {
        conversation_config_override: { agent: { language: true } },
        enable_conversation_initiation_client_data_from_webhook: true,
      },
      call_limits: { agent_concurrency_limit: -1, daily_limit: 100_000 },
    },
  })
})

test('while one SYNC is under way, another one is refused with a sentence', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  at.fake.fail({ path: /voices/, times: 1, before: () => held })
  const { run_id: id } = await at.app.admin.ask<{ run_id: number }>('connect.settings', 'voiceai_sync')
  for (const button of ['voiceai_sync', 'voiceai_sync_tools', 'voiceai_reset_token', 'voiceai_unbind']) {
    const answer = await at.app.admin.call('connect.settings', button)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ message: expect.stringMatching(/running/) })
  }
  release()
  expect(await at.ended(id)).toMatchObject({ state: 'done' })
})

test('voices that are gone at the platform go, but not all at once, and none that an agent speaks with', async () => {
  at.fake.voices = [{ voice_id: 'voice_2' }, { voice_id: 'voice_3', name: 'Bo' }]
  const run = await at.run()
  expect(run.errors).toEqual([
    {
      step: 'voices',
      model: 'connect.voiceai_voice',
      id: expect.any(Number),
      name: 'Ann',
      message: expect.stringMatching(/ElevenLabs no longer has this voice.*"Support" uses this voice/i),
    },
  ])
  at.fake.voices = [{ voice_id: 'voice_1', name: 'Ann' }]
  expect((await at.run()).counts.voices).toMatchObject({ removed: 2 })
  at.fake.voices = []
  const empty = await at.run()
  expect(empty.errors).toMatchObject([{ message: expect.stringMatching(/lists 0 voices.*none was removed/) }])
  expect(await at.app.count('connect_voiceai_voice')).toBe(1)
})
