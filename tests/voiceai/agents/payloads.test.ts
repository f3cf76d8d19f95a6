import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import { expect, test } from 'vitest'
import { agentConfig } from '../../../src/voiceai/agents/agent-payload.ts'
import type { AgentRow } from '../../../src/voiceai/agents/agent-rows.ts'
import { toolConfig, variablesOf } from '../../../src/voiceai/tools/tool-payload.ts'
import type { ToolParameter, ToolRow } from '../../../src/voiceai/tools/tool-rows.ts'

const SETTINGS = { apiUrl: 'https://pbx.example.com/', token: 'the-token' }

function aTool(values: Partial<ToolRow> = {}): ToolRow {
  return {
    id: 1,
    name: 'look',
    description: 'Looks.',
    tool_type: 'webhook',
    path: '/look',
    url: null,
    method: 'POST',
    body_params_description: null,
    response_timeout_secs: 20,
    client_expects_response: false,
    disable_interruptions: false,
    use_out_of_band_dtmf: false,
    voicemail_message: null,
    tool_id: 'tool_1',
    synced: true,
    sync_error: null,
    create_asked_at: null,
    create_asked: null,
    write_date: '2026-01-01 00:00:00',
    params: [],
    ...values,
  }
}

function aParameter(values: Partial<ToolParameter> = {}): ToolParameter {
  return {
    name: 'what',
    data_type: 'string',
    required: false,
    value_type: 'description',
    description: 'What to look for.',
    dynamic_variable: null,
    constant_value: null,
    ...values,
  }
}

function anAgent(values: Partial<AgentRow> = {}): AgentRow {
  return {
    id: 1,
    name: 'Support',
    voice_id: 'v1',
    first_message: 'Hello',
    first_message_translations: null,
    announces_ai: null,
    prompt: 'Help.',
    language: 'en',
    llm: 'gpt-5.2',
    knowledge: [],
    has_pushed_knowledge: false,
    temperature: 0,
    max_tokens: -1,
    stability: 0.5,
    similarity_boost: 0.8,
    speed: 1,
    use_flash: true,
    model: 'flash_v2_5',
    connect_method: 'register',
    output_audio_format: 'ulaw_8000',
    user_input_audio_format: 'ulaw_8000',
    max_duration_seconds: 600,
    agent_concurrency_limit: -1,
    daily_limit: 100_000,
    turn_timeout: 7,
    silence_end_call_timeout: 10,
    agent_uid: 'agent_1',
    voiceai_virtual_number_uid: null,
    voiceai_inbound_allowed_ips: null,
    synced: true,
    sync_error: null,
    create_asked_at: null,
    create_asked_name: null,
    write_date: '2026-01-01 00:00:00',
    languages: [],
    tools: [],
    transfers: [],
    ...values,
  }
}

test.each([
  ['https://pbx.example.com', '/look', 'https://pbx.example.com/look'],
  ['https://pbx.example.com/', 'look', 'https://pbx.example.com/look'],
  ['https://pbx.example.com/base', '/look', 'https://pbx.example.com/base/look'],
])('the address of a tool is %s and %s with one slash between', (apiUrl, path, url) => {
  expect(toolConfig(aTool({ path }), { ...SETTINGS, apiUrl })).toMatchObject({ apiSchema: { url } })
})

test.each([
  [{ path: '/look' }, true],
  [{ path: null, url: 'https://pbx.example.com/own' }, true],
  [{ path: null, url: 'https://pbx.example.com.evil.example/own' }, false],
  [{ path: null, url: 'https://crm.example.com/look' }, false],
])('a tool with %o gets the agent token: %s', (values, hasToken) => {
  const requestHeaders = hasToken
    ? { 'x-voiceai-agent-token': 'the-token', 'x-connect-call': { variableName: 'call_id' } }
    : {}
  const config = toolConfig(aTool(values), SETTINGS)
  expect(config.type === 'webhook' ? config.apiSchema.requestHeaders : undefined).toEqual(requestHeaders)
  expect(config.dynamicVariables).toEqual({ dynamicVariablePlaceholders: hasToken ? { call_id: 'test_call_id' } : {} })
  expect(JSON.stringify(config).includes('the-token')).toBe(hasToken)
})

test.each([
  ['register', 'ulaw_8000', 'ulaw_8000'],
  [null, 'ulaw_8000', 'ulaw_8000'],
  ['sip', 'pcm_16000', 'pcm_8000'],
] as const)('an agent whose calls are handed over by %s speaks %s', (method, output, input) => {
  const agent = anAgent({
    connect_method: method,
    output_audio_format: 'pcm_16000',
    user_input_audio_format: 'pcm_8000',
  })
  expect(agentConfig(agent).conversationConfig).toMatchObject({
    asr: { userInputAudioFormat: input },
    tts: { agentOutputAudioFormat: output },
  })
})

test('each parameter has exactly one source, and a required one is in the list', () => {
  const params = [
    aParameter({ name: 'a', required: true }),
    aParameter({ name: 'b', description: null }),
    aParameter({ name: 'c', value_type: 'dynamic_variable', dynamic_variable: 'system__call_sid', required: true }),
    aParameter({ name: 'd', value_type: 'dynamic_variable' }),
    aParameter({ name: 'e', value_type: 'constant_value', data_type: 'integer', constant_value: '5' }),
  ]
  expect(toolConfig(aTool({ params }), SETTINGS)).toMatchObject({
    apiSchema: {
      requestBodySchema: {
        type: 'object',
        required: ['a', 'c'],
        properties: {
          a: { type: 'string', description: 'What to look for.' },
          b: { type: 'string', description: 'b' },
          c: { type: 'string', dynamicVariable: 'system__call_sid' },
          d: { type: 'string', dynamicVariable: 'd' },
          e: { type: 'integer', constantValue: 5 },
        },
      },
    },
    dynamicVariables: { dynamicVariablePlaceholders: { d: 'test_d', call_id: 'test_call_id' } },
  })
  expect(variablesOf([{ params }])).toEqual(['d'])
})

test.each(['GET', 'DELETE'] as const)(
  'the parameters of a %s tool are in the query, because it has no body',
  (method) => {
    const params = [aParameter({ required: true }), aParameter({ name: 'limit', data_type: 'integer' })]
    const { apiSchema } = toolConfig(
      aTool({ method, params }),
      SETTINGS,
    ) as ElevenLabs.ToolRequestModelToolConfig.Webhook
    expect(apiSchema).not.toHaveProperty('requestBodySchema')
    expect(apiSchema.queryParamsSchema).toEqual({
      properties: {
        what: { type: 'string', description: 'What to look for.' },
        limit: { type: 'integer', description: 'What to look for.' },
      },
      required: ['what'],
    })
    expect(toolConfig(aTool({ method }), SETTINGS)).not.toHaveProperty('apiSchema.queryParamsSchema')
  },
)

test.each([
  ['GET', 'queryParamsSchema'],
  ['PUT', 'requestBodySchema'],
] as const)('a %s tool has the parameters of its path there, and the others in its %s', (method, part) => {
  const params = [aParameter({ name: 'id', data_type: 'integer' }), aParameter()]
  const tool = aTool({ method, path: null, url: 'https://crm.example.com/{area}/{id}', params })
  const { apiSchema } = toolConfig(tool, SETTINGS) as ElevenLabs.ToolRequestModelToolConfig.Webhook
  expect(apiSchema.pathParamsSchema).toEqual({
    area: { type: 'string', description: 'area' },
    id: { type: 'integer', description: 'What to look for.' },
  })
  expect(Object.keys(apiSchema[part]?.properties ?? {})).toEqual(['what'])
})

test.each([
  [true, 'disable_during_tool'],
  [false, 'allow'],
])('a tool that the caller cannot interrupt (%s) says so in the mode that is not deprecated', (disables, mode) => {
  const tool = aTool({ disable_interruptions: disables })
  expect(toolConfig(tool, SETTINGS)).toMatchObject({ interruptionMode: mode })
  const system = aTool({ name: 'end_call', tool_type: 'system', disable_interruptions: disables })
  const { builtInTools } = agentConfig(anAgent({ tools: [system] })).conversationConfig.agent?.prompt ?? {}
  expect(builtInTools?.endCall).toMatchObject({ interruptionMode: mode })
  expect(JSON.stringify([toolConfig(tool, SETTINGS), builtInTools])).not.toContain('disableInterruptions')
})

test('a client tool has parameters and no address', () => {
  const config = toolConfig(
    aTool({ tool_type: 'client', params: [aParameter()], client_expects_response: true, response_timeout_secs: 5 }),
    SETTINGS,
  )
  expect(config).toMatchObject({
    type: 'client',
    expectsResponse: true,
    responseTimeoutSecs: 5,
    parameters: { type: 'object', properties: { what: { type: 'string' } } },
  })
  expect(config).not.toHaveProperty('apiSchema')
})

test.each<[Partial<AgentRow>, string]>([
  [{ use_flash: true, language: 'en' }, 'eleven_flash_v2'],
  [{ use_flash: true, language: 'de' }, 'eleven_flash_v2_5'],
  [{ use_flash: true, model: 'v4', language: 'de' }, 'eleven_flash_v2_5'],
  [{ use_flash: false, model: 'v4_turbo', language: 'en' }, 'eleven_v4_turbo'],
  [{ use_flash: false, model: 'multilingual_v2', language: 'de' }, 'eleven_multilingual_v2'],
  [{ use_flash: false, model: 'turbo_v2', language: 'en' }, 'eleven_flash_v2'],
  [{ use_flash: false, model: 'turbo_v2_5', language: 'pt-br' }, 'eleven_flash_v2_5'],
])('an agent with %o speaks with %s', (values, modelId) => {
  expect(agentConfig(anAgent(values)).conversationConfig.tts).toMatchObject({ modelId })
})

test('a limit of tokens is sent only when there is one', () => {
  const prompt = (maxTokens: number): object =>
    agentConfig(anAgent({ max_tokens: maxTokens })).conversationConfig.agent?.prompt ?? {}
  expect(prompt(-1)).not.toHaveProperty('maxTokens')
  expect(prompt(500)).toMatchObject({ maxTokens: 500 })
})

test('languages become presets under the codes of the platform, each with its greeting where there is one', () => {
  const { conversationConfig } = agentConfig(
    anAgent({
      languages: ['de_DE', 'de_CH', 'en_US', 'nb_NO', 'pt_BR', 'xx_XX'],
      first_message_translations: { de: 'Guten Tag', fr: 'Bonjour', no: 'Hei' },
    }),
  )
  expect(conversationConfig.languagePresets).toEqual({
    de: { overrides: { agent: { firstMessage: 'Guten Tag', language: 'de' } } },
    no: { overrides: { agent: { firstMessage: 'Hei', language: 'no' } } },
    'pt-br': { overrides: { agent: { language: 'pt-br' } } },
  })
})

test('system tools carry what belongs to them; one without anything to do is left out', () => {
  const system = (name: string, values: Partial<ToolRow> = {}): ToolRow =>
    aTool({ name, tool_type: 'system', path: null, tool_id: null, ...values })
  const tools = [
    system('voicemail_detection', { voicemail_message: 'Call us back.' }),
    system('play_keypad_touch_tone', { use_out_of_band_dtmf: true }),
    system('transfer_to_agent'),
    aTool(),
  ]
  const { builtInTools, toolIds } = agentConfig(anAgent({ tools })).conversationConfig.agent?.prompt ?? {}
  expect(toolIds).toEqual(['tool_1'])
  expect(builtInTools).toMatchObject({
    voicemailDetection: { params: { systemToolType: 'voicemail_detection', voicemailMessage: 'Call us back.' } },
    playKeypadTouchTone: { params: { systemToolType: 'play_keypad_touch_tone', useOutOfBandDtmf: true } },
    transferToAgent: null,
    endCall: null,
    languageDetection: null,
    skipTurn: null,
  })
})
