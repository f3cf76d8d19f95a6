import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectEmulators } from '../../emulators/connect.ts'
import { faultsNamed } from '../../emulators/faults.ts'
import { hangUp, hear, say, wait } from '../../emulators/people.ts'
import { describeProblem, Problems } from '../../emulators/problems.ts'
import { startTelcoEmulator, type TelcoEmulator } from '../../emulators/telco/start.ts'
import { VirtualClock } from '../../emulators/virtual-clock.ts'
import { calls, callsInVain, endsCall, hears, says } from '../../emulators/voiceai/conversation/script.ts'
import { startVoiceaiEmulator, type VoiceaiEmulator } from '../../emulators/voiceai/start.ts'
import { FakeService, markup, PUBLIC_URL } from './fake-service.ts'
import { constructEvent } from './post-call-event.ts'
import { voiceaiSdkFor } from './voiceai-sdk.ts'

const NUMBER = '+14155550199'
const CALLER = '+14155550100'
const TOKEN = 'the agent token'
let service: FakeService
let telco: TelcoEmulator
let voiceai: VoiceaiEmulator
let agentId = ''
let secret = ''

beforeAll(async () => {
  service = await FakeService.start()
})
afterAll(() => service.stop())

beforeEach(async () => {
  service.forget()
  await start()
  return async () => {
    await telco.stop()
    await voiceai.stop()
  }
})

async function start(faults = {}): Promise<void> {
  const [clock, problems] = [new VirtualClock(), new Problems()]
  const shared = { service: service.address, clock, problems, faults }
  telco = await startTelcoEmulator({ ...shared, numbers: [{ phoneNumber: NUMBER }] })
  voiceai = await startVoiceaiEmulator(shared)
  connectEmulators(telco, voiceai)
  const number = telco.account.numbers.findWhere('phone_number', NUMBER)
  if (number !== undefined) telco.account.numbers.change(number, { voice_url: `${PUBLIC_URL}/number` })
  await setUp()
}

/** The workspace as a service would set it up. */
async function setUp(): Promise<void> {
  const sdk = voiceaiSdkFor(voiceai)
  const ca = sdk.conversationalAi
  const requestHeaders = { 'x-voiceai-agent-token': TOKEN }
  const tool = (name: string, properties: object, required: string[] = []) =>
    ca.tools.create({
      toolConfig: {
        type: 'webhook',
        name,
        description: name,
        toolErrorHandlingMode: 'passthrough',
        apiSchema: {
          url: `${PUBLIC_URL}/${name}`,
          method: 'POST',
          requestHeaders,
          requestBodySchema: { type: 'object', properties, required },
        },
      } as never,
    })
  const ticket = await tool(
    'create_ticket',
    {
      subject: { type: 'string', description: 'Subject' },
      call_id: { type: 'integer', dynamicVariable: 'call_id' },
      source: { type: 'string', constantValue: 'phone' },
    },
    ['subject', 'call_id'],
  )
  const event = await tool('create_event', {
    start: { type: 'string', description: 'Start' },
    number: { type: 'integer', description: 'Number' },
  })
  agentId = (
    await ca.agents.create({
      name: 'Support',
      conversationConfig: {
        agent: {
          firstMessage: 'Hello {{greeting}}, how can I help?',
          language: 'en',
          prompt: {
            prompt: 'Help {{partner_name}}.',
            toolIds: [ticket.id, event.id],
            builtInTools: { endCall: { name: 'end_call', params: { systemToolType: 'end_call' } } },
          },
        },
        asr: { userInputAudioFormat: 'ulaw_8000' },
        tts: { agentOutputAudioFormat: 'ulaw_8000' },
        languagePresets: { de: { overrides: { agent: { firstMessage: 'Guten Tag {{greeting}}' } } } },
      },
      platformSettings: {
        overrides: {
          enableConversationInitiationClientDataFromWebhook: true,
          conversationConfigOverride: { agent: { language: true } },
        },
      },
    } as never)
  ).agentId
  await ca.phoneNumbers.create({ provider: 'sip_trunk', phoneNumber: agentId, label: 'Support', agentId })
  await ca.settings.update({
    conversationInitiationClientDataWebhook: { url: `${PUBLIC_URL}/initiation`, requestHeaders },
  })
  const settings = { authType: 'hmac', name: 'post', webhookUrl: `${PUBLIC_URL}/post_call` } as const
  const webhook = await sdk.webhooks.create({ settings })
  secret = webhook.webhookSecret ?? ''
  await ca.settings.update({ webhooks: { postCallWebhookId: webhook.webhookId, events: ['transcript', 'audio'] } })
  service.answer(
    '/number',
    markup(
      `<Dial callerId="${CALLER}" action="${PUBLIC_URL}/action"><Sip>sip:${agentId}@sip.rtc.elevenlabs.io:5060;transport=tcp?X-Connect-Call-Ref=42</Sip></Dial>`,
    ),
  )
  service.answer('/action', markup('<Hangup/>'))
  service.answer('/initiation', clientData({ call_id: '42', partner_name: 'Zoe', greeting: 'Zoe' }))
  service.answer('/post_call', { status: 200, type: 'text/plain' })
  service.answer('/create_ticket', { type: 'application/json', body: '{"ticket_id":9,"ticket_name":"Boiler"}' })
}

function clientData(variables: object, rest: object = {}) {
  const body = JSON.stringify({ type: 'conversation_initiation_client_data', dynamic_variables: variables, ...rest })
  return { type: 'application/json', body }
}

function problems(): string {
  return telco.problems.all.map(describeProblem).join('\n')
}

const script = {
  summary: 'The boiler is broken. A ticket was opened.',
  turns: [
    hears('boiler'),
    calls('create_ticket', { subject: 'Broken boiler' }),
    says('Your ticket is number {{create_ticket.ticket_id}}.'),
    hears('thanks'),
    endsCall(),
  ],
}
const caller = [hear('how can i help'), say('My boiler is broken'), hear('number 9'), say('Thanks'), wait(600)]

test('a call over SIP: the service is asked, the prompt is filled, the tool is called, and the transcript is delivered', async () => {
  voiceai.script('Support', script)
  const { sid, heard } = await telco.call({ from: CALLER, to: NUMBER, acts: caller })
  await telco.clock.idle()
  telco.problems.check()
  expect(heard).toEqual(['Hello Zoe, how can I help?', 'Your ticket is number 9.', 'Goodbye.'])
  const [initiation] = service.at('/initiation')
  expect(initiation?.headers['x-voiceai-agent-token']).toBe(TOKEN)
  expect(JSON.parse(initiation?.body ?? '')).toMatchObject({
    caller_id: CALLER.slice(1),
    called_number: agentId,
    agent_id: agentId,
    call_sid: expect.stringMatching(/^SCL_/),
    sip_headers: [{ name: 'X-Connect-Call-Ref', value: '42' }],
  })
  const [tool] = service.at('/create_ticket')
  expect(tool?.headers['x-voiceai-agent-token']).toBe(TOKEN)
  expect(JSON.parse(tool?.body ?? '')).toEqual({ subject: 'Broken boiler', call_id: '42', source: 'phone' })
  const deliveries = service.at('/post_call')
  const events = await Promise.all(deliveries.map((each) => constructEvent(each, secret)))
  expect(events.map(({ type }) => type).sort()).toEqual(['post_call_audio', 'post_call_transcription'])
  expect(events.find(({ type }) => type === 'post_call_transcription')?.data).toMatchObject({
    agent_id: agentId,
    status: 'done',
    transcript: [
      { role: 'agent', message: 'Hello Zoe, how can I help?' },
      { role: 'user', message: 'My boiler is broken' },
      { role: 'agent', message: null, tool_results: [{ tool_name: 'create_ticket', is_error: false }] },
      { role: 'agent', message: 'Your ticket is number 9.' },
      { role: 'user', message: 'Thanks' },
      { role: 'agent', message: 'Goodbye.' },
    ],
    metadata: {
      termination_reason: 'end_call tool was called.',
      phone_call: {
        type: 'sip_trunking',
        direction: 'inbound',
        call_sid: expect.stringMatching(/^SCL_/),
        external_number: CALLER.slice(1),
        agent_number: agentId,
        sip_header_dynamic_variables: { sip_connect_call_ref: '42' },
      },
    },
    analysis: { call_successful: 'success', transcript_summary: script.summary },
    conversation_initiation_client_data: {
      dynamic_variables: {
        call_id: '42',
        sip_connect_call_ref: '42',
        system__call_id: expect.stringMatching(/^SCL_/),
      },
    },
  })
  const audio = deliveries.find(({ body }) => body.includes('post_call_audio'))
  expect(audio?.headers['transfer-encoding']).toBe('chunked')
  expect(service.at('/action')[0]?.fields).toMatchObject({
    CallSid: sid,
    DialCallStatus: 'completed',
    DialBridged: 'true',
  })
  const conversations = await voiceaiSdkFor(voiceai).conversationalAi.conversations.list({ agentId })
  const [listed] = conversations.conversations
  const conversation = await voiceaiSdkFor(voiceai).conversationalAi.conversations.get(listed?.conversationId ?? '')
  expect(conversation).toMatchObject({
    status: 'done',
    hasAudio: true,
    metadata: { phoneCall: { type: 'sip_trunking' } },
  })
})

test('a SIP call is told of in another form each time, and X-CALL-ID names it for the service', async () => {
  const uri = `sip:${agentId}@sip.rtc.elevenlabs.io:5060;transport=tcp?X-Connect-Call-Ref=42&amp;X-CALL-ID=CA42`
  service.answer('/number', markup(`<Dial callerId="${CALLER}"><Sip>${uri}</Sip></Dial>`))
  for (let count = 0; count < 4; count++) {
    await telco.call({ from: CALLER, to: NUMBER, acts: [hear('hello'), hangUp()] })
  }
  await telco.clock.idle()
  const asked = service.at('/initiation').map(({ body }) => JSON.parse(body))
  expect(asked.map(({ call_sid: sid }) => sid)).toEqual(['CA42', 'CA42', 'CA42', 'CA42'])
  expect(asked.map(({ caller_id: caller }) => caller)).toEqual([CALLER.slice(1), CALLER, CALLER.slice(1), CALLER])
  expect(asked.map(({ sip_headers: headers }) => headers)).toEqual([
    [
      { name: 'X-Connect-Call-Ref', value: '42' },
      { name: 'X-CALL-ID', value: 'CA42' },
    ],
    { sip_connect_call_ref: '42', sip_call_id: 'CA42' },
    { 'X-Connect-Call-Ref': '42', 'X-CALL-ID': 'CA42' },
    undefined,
  ])
  telco.problems.check()
})

/** The service registers the call with this data and lets the caller in. */
async function registerCall(data: object): Promise<void> {
  const registered = await voiceaiSdkFor(voiceai).conversationalAi.twilio.registerCall({
    agentId,
    fromNumber: CALLER,
    toNumber: NUMBER,
    conversationInitiationClientData: data,
  })
  service.answer('/number', registered)
}

test('a registered call is dropped when it arrives, if its data cannot open the conversation', async () => {
  const dynamicVariables = { call_id: 42, partner_name: 'Zoe', greeting: 'Zoe' }
  await registerCall({ dynamicVariables, conversationConfigOverride: { agent: { language: 'fr' } } })
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(heard).toEqual([])
  expect(problems()).toContain('The agent has no additional language fr')
  await registerCall({ dynamicVariables: { call_id: 42 } })
  expect((await telco.call({ from: CALLER, to: NUMBER, acts: [] })).heard).toEqual([])
  expect(problems()).toContain("Missing required dynamic variables in first message: {'greeting'}")
  await telco.clock.idle()
  const delivered = service.at('/post_call').map(({ body }) => JSON.parse(body).data)
  const failed = { status: 'failed', has_audio: false, metadata: { error: { code: 1008 } } }
  expect(delivered.filter(({ agent_id: id }) => id === agentId)).toMatchObject([failed, failed])
})

test('a registered call is noise to both sides unless the agent is set to the audio of telephones', async () => {
  const ca = voiceaiSdkFor(voiceai).conversationalAi
  await ca.agents.update(agentId, { conversationConfig: { tts: { agentOutputAudioFormat: 'pcm_16000' } } } as never)
  await registerCall({ dynamicVariables: { call_id: 42, partner_name: 'Zoe', greeting: 'Zoe' } })
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [hear('noise'), hangUp()] })
  await telco.clock.idle()
  expect(heard).toEqual(['(noise)'])
  expect(problems()).toContain('hear noise')
})

test('a call that the service registered goes over a media stream, without being asked about', async () => {
  const registered = await voiceaiSdkFor(voiceai).conversationalAi.twilio.registerCall({
    agentId,
    fromNumber: CALLER,
    toNumber: NUMBER,
    conversationInitiationClientData: { dynamicVariables: { call_id: 42, partner_name: 'Zoe', greeting: 'Zoe' } },
  })
  service.answer('/number', registered)
  voiceai.script('Support', script)
  const { sid } = await telco.call({ from: CALLER, to: NUMBER, acts: caller })
  await telco.clock.idle()
  telco.problems.check()
  expect(service.at('/initiation')).toEqual([])
  expect(JSON.parse(service.at('/create_ticket')[0]?.body ?? '')).toMatchObject({ call_id: 42 })
  const transcription = service.at('/post_call').find(({ body }) => body.includes('post_call_transcription'))
  expect(JSON.parse(transcription?.body ?? '').data.metadata.phone_call).toMatchObject({
    type: 'twilio',
    call_sid: sid,
    external_number: CALLER,
  })
})

test('the language that the service chose has its own greeting, when the agent allows the choice', async () => {
  service.answer(
    '/initiation',
    clientData(
      { call_id: '1', partner_name: 'Zoe', greeting: 'Zoe' },
      { conversation_config_override: { agent: { language: 'de' } } },
    ),
  )
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [hear('guten tag'), hangUp()] })
  expect(heard).toEqual(['Guten Tag Zoe'])
  telco.problems.check()
})

test.each([
  [
    'a variable of the first message',
    clientData({ call_id: '1', partner_name: 'Zoe' }),
    "Missing required dynamic variables in first message: {'greeting'}",
  ],
  [
    'a variable of the prompt',
    clientData({ call_id: '1', greeting: 'Zoe' }),
    "Missing required dynamic variables in prompt: {'partner_name'}",
  ],
  [
    'a variable of a tool',
    clientData({ partner_name: 'Zoe', greeting: 'Zoe' }),
    "Missing required dynamic variables in tools: {'call_id'}",
  ],
  ['the type', { type: 'application/json', body: '{"dynamic_variables":{}}' }, 'The type of the answer is undefined'],
  [
    'a value that is none',
    clientData({ call_id: null, partner_name: 'Zoe', greeting: 'Zoe' }),
    'call_id must be a string',
  ],
  [
    'permission for a field',
    clientData(
      { call_id: '1', partner_name: 'Zoe', greeting: 'Zoe' },
      { conversation_config_override: { agent: { first_message: 'Hi' } } },
    ),
    "Override for field 'agent.first_message' is not allowed",
  ],
  [
    'a preset for the language',
    clientData(
      { call_id: '1', partner_name: 'Zoe', greeting: 'Zoe' },
      { conversation_config_override: { agent: { language: 'fr' } } },
    ),
    'The agent has no additional language fr',
  ],
  ['a working webhook', { status: 500 }, 'HTTP 500'],
])('a caller without %s is dropped, loudly', async (_name, answer, message) => {
  service.answer('/initiation', answer)
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(heard).toEqual([])
  expect(problems()).toContain(message)
})

test('a placeholder stands in for no variable, and the variables of agents that may take over are needed too', async () => {
  const ca = voiceaiSdkFor(voiceai).conversationalAi
  const speaker = (prompt: string) => ({
    agent: {
      firstMessage: 'Hello.',
      dynamicVariables: { dynamic_variable_placeholders: { floor: '7' } },
      prompt: { prompt },
    },
  })
  const other = await ca.agents.create({ name: 'Other', conversationConfig: speaker('On {{floor}}.') } as never)
  const params = { systemToolType: 'transfer_to_agent', transfers: [{ agentId: other.agentId, condition: 'x' }] }
  const builtInTools = { transferToAgent: { name: 'transfer_to_agent', params } }
  await ca.agents.update(agentId, { conversationConfig: { agent: { prompt: { builtInTools } } } } as never)
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(problems()).toContain("Missing required dynamic variables in prompt: {'floor'}")
})

test('asking for the language that the agent speaks anyway is a mistake', async () => {
  const variables = { call_id: '1', partner_name: 'Zoe', greeting: 'Zoe' }
  service.answer('/initiation', clientData(variables, { conversation_config_override: { agent: { language: 'en' } } }))
  await telco.call({ from: CALLER, to: NUMBER, acts: [hear('hello'), hangUp()] })
  expect(problems()).toContain('speaks en of its own')
})

test('a number without an agent, and an address that may not call, are refused', async () => {
  const [number] = voiceai.workspace.numbers.values()
  if (number === undefined) throw new Error('no number')
  number.inboundTrunk = { allowed_addresses: ['10.0.0.0/8'] }
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(problems()).toContain(`calls from 54.172.60.1 to ${agentId} are not allowed`)
  expect(service.at('/action')[0]?.fields).toMatchObject({ DialCallStatus: 'failed', DialSipResponseCode: '403' })
  voiceai.workspace.numbers.clear()
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(service.at('/action')[1]?.fields).toMatchObject({ DialCallStatus: 'failed', DialSipResponseCode: '404' })
})

test('a script cannot do what the agent cannot', async () => {
  const turns = [
    calls('send_money', {}),
    calls('create_ticket', {}),
    calls('create_ticket', { subject: 'x', call_id: 7 }),
    calls('create_event', { number: 'seven', place: 'here' }),
    says('Hello {{nobody}}'),
  ]
  voiceai.script('Support', { turns: [...turns, endsCall()] })
  await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  for (const message of [
    'the agent has no tool send_money',
    'create_ticket: the required subject has no value',
    'create_ticket: the agent does not decide about call_id',
    'create_event: it has no parameter place',
    'create_event: number is "seven", but should be of type integer',
    'the agent would say "Hello {{nobody}}"',
  ]) {
    expect(problems()).toContain(message)
  }
})

test('a refusal reaches the agent when the tool passes errors on', async () => {
  service.answer('/create_ticket', {
    status: 404,
    type: 'application/json',
    body: '{"error":"There is no such call."}',
  })
  voiceai.script('Support', {
    turns: [callsInVain('create_ticket', { subject: 'x' }), says('{{create_ticket.error}}'), endsCall()],
  })
  const { heard } = await telco.call({ from: CALLER, to: NUMBER, acts: [] })
  expect(heard).toContain('There is no such call.')
  telco.problems.check()
})

test('a failed delivery is repeated when the webhook is set so, and a forged one must be refused', async () => {
  const [webhook] = voiceai.workspace.webhooks.values()
  if (webhook === undefined) throw new Error('no webhook')
  webhook.isRetryEnabled = true
  let tries = 0
  service.answer('/post_call', ({ body }) => {
    if (body.includes('post_call_audio')) return { status: 200 }
    tries += 1
    return { status: tries < 3 ? 503 : 200 }
  })
  await telco.call({ from: CALLER, to: NUMBER, acts: [hear('hello'), hangUp()] })
  await telco.clock.idle()
  expect(tries).toBe(3)
  expect(telco.problems.take(/answered with HTTP 503/)).toHaveLength(2)
  telco.problems.check()
  await telco.stop()
  await voiceai.stop()
  await start({ forge: 1, ...faultsNamed(['duplicate']) })
  await telco.call({ from: CALLER, to: NUMBER, acts: [hear('hello'), hangUp()] })
  await telco.clock.idle()
  expect(problems()).toContain('a forged post-call delivery was answered with HTTP 200')
})

test('an attempt that reached nobody is reported', async () => {
  await voiceaiSdkFor(voiceai).conversationalAi.settings.update({ webhooks: { events: ['call_initiation_failure'] } })
  voiceai.failCall({ agentId, reason: 'busy', callSid: 'CA1', from: NUMBER, to: CALLER })
  await telco.clock.idle()
  const [delivery] = service.at('/post_call')
  if (delivery === undefined) throw new Error('nothing was delivered')
  expect(await constructEvent(delivery, secret)).toMatchObject({
    type: 'call_initiation_failure',
    data: { failure_reason: 'busy', metadata: { type: 'sip', body: { to_number: CALLER } } },
  })
})
