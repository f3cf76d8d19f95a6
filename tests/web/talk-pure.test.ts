// A conversation with an agent that is tried, over the platform's WebSocket.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTalk, type Sound, type TalkEvents } from '../../web/agents/talk-socket.ts'

const OPENING = { type: 'conversation_initiation_client_data', dynamic_variables: { call_id: '1234' } }

/** A socket without a network. */
class QuietSocket extends EventTarget {
  static readonly OPEN = 1
  static last: QuietSocket
  readonly sent: unknown[] = []
  readonly url: string
  readonly protocol: string
  readyState = 0
  closedWith: number | undefined

  constructor(url: string, protocol: string) {
    super()
    this.url = url
    this.protocol = protocol
    QuietSocket.last = this
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(code: number): void {
    this.closedWith = code
  }
  opens(): void {
    this.readyState = QuietSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }
  hears(message: unknown): void {
    const data = typeof message === 'string' ? message : JSON.stringify(message)
    this.dispatchEvent(Object.assign(new Event('message'), { data }))
  }
}

beforeEach(() => void vi.stubGlobal('WebSocket', QuietSocket))
afterEach(() => void vi.unstubAllGlobals())

function talk(sound?: Sound) {
  const told: unknown[][] = []
  const note =
    (name: string) =>
    (...what: unknown[]): void =>
      void told.push([name, ...what])
  const names = ['began', 'said', 'corrected', 'used', 'ended'] as const
  const events = Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as TalkEvents
  const talking = openTalk('wss://api.elevenlabs.io/v1/convai/conversation?x=1', OPENING, events, sound)
  return { talking, told, socket: QuietSocket.last }
}

it('the opening goes first, whatever is said before the socket is open', () => {
  const { talking, socket } = talk()
  expect(socket.protocol).toBe('convai')
  talking.say('Too early')
  expect(socket.sent).toEqual([])
  socket.opens()
  talking.say('Hello')
  expect(socket.sent).toEqual([OPENING, { type: 'user_message', text: 'Hello' }])
  talking.close()
  expect(socket.closedWith).toBe(1000)
})

it('a ping is answered, events are told, and what is not known is passed over', () => {
  const { told, socket } = talk()
  socket.opens()
  socket.hears({ type: 'conversation_initiation_metadata', conversation_initiation_metadata_event: {} })
  socket.hears({ type: 'ping', ping_event: { event_id: 7 } })
  socket.hears({ type: 'agent_response', agent_response_event: { agent_response: 'Good day!', event_id: 1 } })
  socket.hears({
    type: 'agent_response_correction',
    agent_response_correction_event: { corrected_agent_response: 'Good' },
  })
  socket.hears({ type: 'user_transcript', user_transcription_event: { user_transcript: 'Hello' } })
  socket.hears({ type: 'agent_tool_response', agent_tool_response: { tool_name: 'create_ticket', is_error: true } })
  for (const other of ['no JSON', 'null', '7', { type: 'vad_score' }, { type: 'agent_response' }]) socket.hears(other)
  expect(socket.sent.at(-1)).toEqual({ type: 'pong', event_id: 7 })
  expect(told).toEqual([
    ['began'],
    ['said', 'agent', 'Good day!'],
    ['corrected', 'Good'],
    ['said', 'caller', 'Hello'],
    ['used', 'create_ticket', true],
  ])
})

it.each([
  [1000, '', undefined],
  [1008, 'Missing required dynamic variables', 'Missing required dynamic variables'],
  [1006, '', ''],
])('a socket that closes with %s and "%s" ends the conversation with the reason %s', (code, reason, why) => {
  const { told, socket } = talk()
  socket.dispatchEvent(Object.assign(new Event('close'), { code, reason }))
  expect(told).toEqual([['ended', why]])
})

it('a microphone is passed on once the conversation has begun, and an interruption hushes the agent', () => {
  const done: unknown[][] = []
  let speak: (chunk: string) => void = () => undefined
  const { socket, talking } = talk({
    heard: (listener) => {
      speak = listener
    },
    play: (chunk) => void done.push(['play', chunk]),
    hush: () => void done.push(['hush']),
    close: () => void done.push(['close']),
  })
  const audio = (chunk: string, id: number) => ({ type: 'audio', audio_event: { audio_base_64: chunk, event_id: id } })
  socket.opens()
  speak('AAAA')
  expect(socket.sent).toEqual([OPENING])
  socket.hears({ type: 'conversation_initiation_metadata' })
  speak('BBBB')
  expect(socket.sent.at(-1)).toEqual({ user_audio_chunk: 'BBBB' })
  socket.hears(audio('CCCC', 1))
  socket.hears({ type: 'interruption', interruption_event: { event_id: 3 } })
  socket.hears(audio('DDDD', 2))
  socket.hears(audio('EEEE', 4))
  talking.close()
  expect(done).toEqual([['play', 'CCCC'], ['hush'], ['play', 'EEEE'], ['close']])
})
