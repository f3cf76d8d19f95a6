// Conversations in a browser at the emulated voice-agent platform: a signed address, its WebSocket, and what both refuse.

import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { describeProblem } from '../../emulators/problems.ts'
import { calls, endsCall, hears, says } from '../../emulators/voiceai/conversation/script.ts'
import { startVoiceaiEmulator, type VoiceaiEmulator } from '../../emulators/voiceai/start.ts'
import { FakeService, PUBLIC_URL } from './fake-service.ts'
import { voiceaiRefusalOf, voiceaiSdkFor } from './voiceai-sdk.ts'

const EVENTS = ['conversation_initiation_metadata', 'ping', 'audio', 'agent_response', 'agent_tool_response']
let service: FakeService
let voiceai: VoiceaiEmulator
let agentId = ''

beforeAll(async () => {
  service = await FakeService.start()
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.forget()
  voiceai = await startVoiceaiEmulator({ service: service.address })
  agentId = await makeAgent({})
  return () => voiceai.stop()
})

async function makeAgent({ textOnly = true, enableAuth = true }): Promise<string> {
  const ca = voiceaiSdkFor(voiceai).conversationalAi
  const tool = await ca.tools.create({
    toolConfig: {
      type: 'webhook',
      name: 'create_ticket',
      description: 'Opens a ticket',
      toolErrorHandlingMode: 'passthrough',
      apiSchema: {
        url: `${PUBLIC_URL}/create_ticket`,
        method: 'POST',
        requestHeaders: { 'x-connect-call': { variableName: 'call_id' } },
        requestBodySchema: {
          type: 'object',
          properties: { subject: { type: 'string', description: 'Subject' } },
          required: ['subject'],
        },
      },
    } as never,
  })
  const { agentId: made } = await ca.agents.create({
    name: 'Trial',
    conversationConfig: {
      agent: {
        firstMessage: 'Hello {{partner_name}}!',
        prompt: { prompt: 'Help.', toolIds: [tool.id], builtInTools: { endCall: ending() } },
      },
      asr: { userInputAudioFormat: 'pcm_16000' },
      tts: { agentOutputAudioFormat: 'pcm_16000' },
      conversation: { textOnly, clientEvents: EVENTS },
    },
    platformSettings: { auth: { enableAuth }, privacy: { recordVoice: false } },
  } as never)
  return made
}

function ending(): object {
  return { name: 'end_call', params: { systemToolType: 'end_call' } }
}

const OPENING = {
  type: 'conversation_initiation_client_data',
  dynamic_variables: { partner_name: 'Zoe', call_id: '1234' },
}

async function signedUrl(options: { once?: boolean } = {}): Promise<string> {
  const { signedUrl: url } = await voiceaiSdkFor(voiceai).conversationalAi.conversations.getSignedUrl({
    agentId,
    includeConversationId: options.once ?? true,
  })
  return url
}

type Event = { type: string } & Record<string, never>

/** A browser at an address. */
function browse(url: string) {
  const socket = new WebSocket(url, 'convai')
  const events: Event[] = []
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  socket.addEventListener('message', ({ data }) => events.push(JSON.parse(String(data)) as Event))
  socket.addEventListener('close', ({ code, reason }) => closed.resolve({ code, reason }))
  const opened = new Promise<void>((resolve) => socket.addEventListener('open', () => resolve()))
  return {
    ...{ socket, events, opened, closed: closed.promise },
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    of: (type: string) => events.filter((event) => event.type === type),
    async come(type: string, count = 1) {
      await vi.waitFor(() => expect(events.filter((event) => event.type === type).length).toBe(count), 10_000)
    },
  }
}

const problems = () => voiceai.problems.all.map(describeProblem)

test('an agent is written with: it greets, uses a tool over HTTP with the variables it was given, and says what came of it', async () => {
  service.answer('/create_ticket', { type: 'application/json', body: '{"message": "Ticket 7 is open."}' })
  const url = await signedUrl()
  expect(url).toMatch(
    /^ws:\/\/127\.0\.0\.1:\d+\/v1\/convai\/conversation\?agent_id=agent_\w+&conversation_signature=cvtkn_/,
  )
  const visit = browse(url)
  await visit.opened
  expect(visit.socket.protocol).toBe('convai')
  visit.send(OPENING)
  await visit.come('agent_response')
  expect(visit.events[0]).toMatchObject({
    type: 'conversation_initiation_metadata',
    conversation_initiation_metadata_event: {
      conversation_id: new URL(url).searchParams.get('conversation_id'),
      agent_output_audio_format: 'pcm_16000',
      user_input_audio_format: 'pcm_16000',
    },
  })
  expect(visit.of('agent_response')[0]).toMatchObject({ agent_response_event: { agent_response: 'Hello Zoe!' } })
  const [ping] = visit.of('ping') as unknown as { ping_event: { event_id: number } }[]
  visit.send({ type: 'pong', event_id: ping?.ping_event.event_id })
  visit.send({ type: 'user_message', text: 'Please open a ticket: my boiler leaks.' })
  await visit.come('agent_response', 2)
  expect(visit.of('agent_tool_response')).toMatchObject([
    { agent_tool_response: { tool_name: 'create_ticket', tool_type: 'webhook', is_error: false, is_called: true } },
  ])
  expect(visit.of('agent_response')[1]).toMatchObject({
    agent_response_event: { agent_response: 'Ticket 7 is open.' },
  })
  expect(visit.of('audio')).toEqual([])
  expect(service.at('/create_ticket')).toMatchObject([
    { headers: { 'x-connect-call': '1234' }, body: '{"subject":"Please open a ticket: my boiler leaks."}' },
  ])
  visit.send({ type: 'user_message', text: 'What is the weather like?' })
  await visit.come('agent_response', 3)
  visit.socket.close()
  await visit.closed
  await vi.waitFor(() => expect(voiceai.workspace.conversations.size).toBe(1))
  expect([...voiceai.workspace.conversations.values()]).toMatchObject([
    { has_audio: false, metadata: { text_only: true, phone_call: null, authorization_method: 'signed_url' } },
  ])
  const shown = await voiceaiSdkFor(voiceai).conversationalAi.conversations.get(
    [...voiceai.workspace.conversations.keys()][0] ?? '',
  )
  expect(shown.transcript.map(({ role }) => role)).toEqual(['agent', 'user', 'agent', 'agent', 'user', 'agent'])
  expect(problems()).toEqual([])
})

test('an agent with a script follows it, and puts the phone down', async () => {
  service.answer('/create_ticket', { type: 'application/json', body: '{"ticket_id": 9}' })
  voiceai.script('Trial', {
    turns: [
      hears('boiler'),
      calls('create_ticket', { subject: 'Boiler' }),
      says('Ticket {{create_ticket.ticket_id}}.'),
      endsCall(),
    ],
  })
  const visit = browse(await signedUrl())
  await visit.opened
  visit.send(OPENING)
  visit.send({ type: 'user_message', text: 'My boiler leaks.' })
  expect(await visit.closed).toMatchObject({ code: 1000 })
  expect(visit.of('agent_response').map((event) => event.agent_response_event)).toMatchObject([
    { agent_response: 'Hello Zoe!' },
    { agent_response: 'Ticket 9.' },
    { agent_response: 'Goodbye.' },
  ])
  expect(problems()).toEqual([])
})

test('a conversation by voice sends words with silence, and takes sound that it does not understand', async () => {
  agentId = await makeAgent({ textOnly: false })
  const visit = browse(await signedUrl())
  await visit.opened
  visit.send(OPENING)
  await visit.come('agent_response')
  const [audio] = visit.of('audio') as unknown as { audio_event: { audio_base_64: string } }[]
  expect(Buffer.from(audio?.audio_event.audio_base_64 ?? '', 'base64').length).toBeGreaterThan(0)
  visit.send({ user_audio_chunk: Buffer.alloc(320).toString('base64') })
  visit.send({ type: 'user_message', text: 'Hello?' })
  await visit.come('agent_response', 2)
  expect(problems()).toEqual([])
})

test('an address counts for its agent, for a quarter of an hour, and once when it names a conversation', async () => {
  const refused = async (url: string) => {
    const visit = browse(url)
    return (await visit.closed).code
  }
  const url = new URL(await signedUrl())
  const first = browse(url.href)
  await first.opened
  first.send(OPENING)
  await first.come('agent_response')
  expect(await refused(url.href)).toBe(3000)
  const many = await signedUrl({ once: false })
  for (const visit of [browse(many), browse(many)]) {
    await visit.opened
    visit.send(OPENING)
    await visit.come('agent_response')
  }
  const bare = new URL(url)
  bare.searchParams.delete('conversation_signature')
  expect(await refused(bare.href)).toBe(3000)
  const forged = new URL(many)
  forged.searchParams.set('conversation_signature', 'cvtkn_guessed')
  expect(await refused(forged.href)).toBe(3000)
  const others = new URL(many)
  others.searchParams.set('agent_id', await makeAgent({}))
  expect(await refused(others.href)).toBe(3000)
  const late = await signedUrl()
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 15 * 60_000 + 1)
  expect(await refused(late)).toBe(3000)
  now.mockRestore()
  const open = new URL(bare)
  open.searchParams.set('agent_id', await makeAgent({ enableAuth: false }))
  const guest = browse(open.href)
  await guest.opened
  guest.send(OPENING)
  await guest.come('agent_response')
})

test('a conversation that lacks a variable, and a message that is none, are closed', async () => {
  for (const first of [{ type: OPENING.type }, { type: 'user_message', text: 'Hello' }]) {
    const visit = browse(await signedUrl())
    await visit.opened
    visit.send(first)
    expect(await visit.closed).toMatchObject({
      code: 1008,
      reason: "Missing required dynamic variables in first message: {'partner_name'}",
    })
  }
  const withoutToken = browse(await signedUrl())
  await withoutToken.opened
  withoutToken.send({ ...OPENING, dynamic_variables: { partner_name: 'Zoe' } })
  expect((await withoutToken.closed).reason).toBe("Missing required dynamic variables in tools: {'call_id'}")
  voiceai.problems.take(/cannot open a conversation/)
  for (const wrong of ['no JSON', { type: 'shout' }, { type: 'pong' }, []]) {
    const visit = browse(await signedUrl())
    await visit.opened
    visit.send(OPENING)
    visit.send(wrong)
    expect((await visit.closed).code).toBe(1008)
  }
  const twice = browse(await signedUrl())
  await twice.opened
  twice.send({ ...OPENING, voice: 'loud' })
  twice.send(OPENING)
  twice.send({ user_audio_chunk: '' })
  twice.send({ type: 'pong', event_id: 999 })
  await vi.waitFor(() =>
    expect(problems()).toEqual([
      'voiceai: Trial: the opening has no part voice',
      'voiceai: Trial: the browser opened the conversation a second time',
      'voiceai: Trial: sound was sent in a conversation by text',
      'voiceai: Trial: nobody sent the ping 999',
    ]),
  )
})

test('an address is signed for an agent that is there, by the person who has the key', async () => {
  const sdk = voiceaiSdkFor(voiceai).conversationalAi.conversations
  expect(await voiceaiRefusalOf(sdk.getSignedUrl({ agentId: 'agent_gone' }))).toMatchObject({ statusCode: 404 })
  const keyless = await fetch(`${voiceai.url}/v1/convai/conversation/get-signed-url?agent_id=${agentId}`)
  expect(keyless.status).toBe(401)
  const headers = { 'xi-api-key': voiceai.workspace.apiKey }
  const nobody = await fetch(`${voiceai.url}/v1/convai/conversation/get-signed-url`, { headers })
  expect(nobody.status).toBe(422)
})

test('a handshake that is none, another path, and a frame without a mask get what RFC 6455 says', async () => {
  const { host, port } = new URL(voiceai.url)
  const url = new URL(await signedUrl({ once: false }))
  const raw = async (path: string, headers: string, frame?: Buffer) => {
    const socket = connect(Number(port), '127.0.0.1')
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(Buffer.from(part)))
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${headers}\r\n`)
    if (frame !== undefined) socket.write(frame)
    await new Promise((resolve) => socket.once('close', resolve))
    return Buffer.concat(parts)
  }
  const good = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  expect((await raw('/elsewhere', good)).toString()).toMatch(/^HTTP\/1.1 404/)
  expect((await raw(url.pathname + url.search, 'sec-websocket-version: 8\r\n')).toString()).toMatch(/^HTTP\/1.1 400/)
  const unmasked = await raw(url.pathname + url.search, good, Buffer.from([0x81, 0x02, 0x68, 0x69]))
  expect(unmasked.toString('latin1')).toContain('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
  expect(unmasked.readUInt16BE(unmasked.length - 2)).toBe(1002)
})
