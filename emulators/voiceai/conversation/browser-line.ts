import { CallEnded, type Line } from '../../line.ts'
import { Mailbox } from '../../mailbox.ts'
import type { Problems } from '../../problems.ts'
import { VirtualClock } from '../../virtual-clock.ts'
import { CLOSED, type WebSocketPeer } from '../../web-socket.ts'
import type { Json } from '../rest/schemas.ts'
import type { Agent } from '../workspace.ts'
import type { UsedTool } from './conversation.ts'

const OPENING = 'conversation_initiation_client_data'
/** Parts of the opening (`ConversationInitiation` of @elevenlabs/types 0.23.0, made from the platform's AsyncAPI). */
const OPENING_PARTS: readonly string[] = [
  ...['type', 'conversation_config_override', 'custom_llm_extra_body', 'dynamic_variables', 'user_id', 'source_info'],
  'tool_mock_config',
]
/** What a browser may send beside it, and what each must have (the same types). */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pong: { event_id: 'number' },
  user_message: {},
  user_activity: {},
  feedback: { event_id: 'number' },
  contextual_update: { text: 'string' },
  client_tool_result: { tool_call_id: 'string', result: 'string', is_error: 'boolean' },
  mcp_tool_approval_result: { tool_call_id: 'string', is_approved: 'boolean' },
  multimodal_message: {},
}
const DEFAULT_FORMAT = 'pcm_16000'
const PING_MS = 5_000
const UNANSWERED_MAX = 2
const SILENCE_SECONDS = 0.4
const BYTES_PER_SAMPLE = 2
/** The time of a browser is that of who sits before it. */
const PACE_MS = 1_000

/** Somebody who talks with an agent in a browser, as the agent has them on the line. */
export class BrowserLine implements Line {
  readonly clock = new VirtualClock({ paceMs: PACE_MS })
  readonly isTextOnly: boolean
  readonly #peer: WebSocketPeer
  readonly #agent: Agent
  readonly #problems: Problems
  readonly #said = new Mailbox<string>()
  readonly #over = new AbortController()
  readonly #pings = new Set<number>()
  #pinging: NodeJS.Timeout | undefined
  #events = 0
  #open: ((opening: Json) => Promise<void>) | undefined

  constructor(peer: WebSocketPeer, { agent, problems }: { agent: Agent; problems: Problems }) {
    this.#peer = peer
    this.#agent = agent
    this.#problems = problems
    this.isTextOnly = agent.config.conversation_config?.conversation?.text_only === true
    peer.listen({ text: (message) => this.#take(message), closed: () => this.#end() })
  }

  get ended(): AbortSignal {
    return this.#over.signal
  }

  /** Waits for what the browser sends first. One that sends no opening has none. */
  open(begin: (opening: Json) => Promise<void>): void {
    this.#open = begin
  }

  /** Tells that the conversation has begun, and asks from time to time whether the browser is there. */
  begin(conversationId: string): void {
    const { asr, tts } = this.#agent.config.conversation_config ?? {}
    this.#send('conversation_initiation_metadata', {
      conversation_initiation_metadata_event: {
        conversation_id: conversationId,
        agent_output_audio_format: tts?.agent_output_audio_format ?? DEFAULT_FORMAT,
        user_input_audio_format: asr?.user_input_audio_format ?? DEFAULT_FORMAT,
      },
    })
    this.#ping()
    this.#pinging = setInterval(() => this.#ping(), PING_MS).unref()
  }

  refuse(code: number, reason: string): void {
    this.#peer.close(code, reason)
  }

  async say(words: string): Promise<void> {
    this.ended.throwIfAborted()
    const id = this.#nextId()
    if (!this.isTextOnly) this.#send('audio', { audio_event: { audio_base_64: this.#silence(), event_id: id } })
    this.#send('agent_response', { agent_response_event: { agent_response: words, event_id: id } })
  }

  listen(): Promise<string> {
    return this.#said.take(this.ended)
  }

  /** There are no keys in a browser. */
  async press(): Promise<void> {
    this.ended.throwIfAborted()
  }

  hangUp(): void {
    this.#peer.close(CLOSED.normal)
  }

  /** That a tool was used, and whether it went well. */
  showTool({ id, tool, result }: UsedTool): void {
    const { name, type } = tool.config
    const event = { tool_name: name, tool_call_id: id, tool_type: type, event_id: this.#nextId() }
    this.#send('agent_tool_response', {
      agent_tool_response: { ...event, is_error: result.isError, is_called: true },
    })
  }

  #nextId(): number {
    this.#events += 1
    return this.#events
  }

  /** Only what the agent is set to send (`client_events` of its settings); the metadata comes in any case. */
  #send(type: string, event: Json): void {
    const wanted = this.#agent.config.conversation_config?.conversation?.client_events
    const isWanted = type === 'conversation_initiation_metadata' || (wanted?.includes(type) ?? true)
    if (isWanted) this.#peer.send(JSON.stringify({ type, ...event }))
  }

  /** Words that are heard as nothing: there is no voice on this machine. */
  #silence(): string {
    const format = this.#agent.config.conversation_config?.tts?.agent_output_audio_format ?? DEFAULT_FORMAT
    const samples = Number(/\d+/.exec(format)?.[0] ?? 0) * SILENCE_SECONDS
    return Buffer.alloc(samples * BYTES_PER_SAMPLE).toString('base64')
  }

  #ping(): void {
    if (this.#pings.size >= UNANSWERED_MAX) this.#complain('the browser does not answer pings')
    const id = this.#nextId()
    this.#pings.add(id)
    this.#send('ping', { ping_event: { event_id: id, ping_ms: null } })
  }

  #end(): void {
    clearInterval(this.#pinging)
    this.#over.abort(new CallEnded())
  }

  #take(text: string): void {
    const message = readMessage(text)
    const begin = this.#open
    this.#open = undefined
    if (message === undefined) this.refuse(CLOSED.refused, 'Invalid message received')
    else if (begin === undefined) this.#hear(message)
    else this.#first(message, begin)
  }

  #first(message: Json, begin: (opening: Json) => Promise<void>): void {
    const isOpening = message.type === OPENING
    const unknown = isOpening ? Object.keys(message).filter((name) => !OPENING_PARTS.includes(name)) : []
    for (const name of unknown) this.#complain(`the opening has no part ${name}`)
    void begin(isOpening ? message : {})
    if (!isOpening) this.#hear(message)
  }

  #hear(message: Json): void {
    const { type, text, event_id: event } = message
    if ('user_audio_chunk' in message) {
      if (this.isTextOnly) this.#complain('sound was sent in a conversation by text')
    } else if (type === OPENING) {
      this.#complain('the browser opened the conversation a second time')
    } else if (type === 'pong') {
      if (!this.#pings.delete(Number(event))) this.#complain(`nobody sent the ping ${event}`)
    } else if (type === 'user_message' && typeof text === 'string' && text.trim() !== '') {
      this.#said.put(text)
    }
  }

  #complain(message: string): void {
    this.#problems.add({ where: 'voiceai', message: `${this.#agent.name}: ${message}` })
  }
}

/** A message of a browser; undefined when it is none that the platform takes. */
function readMessage(text: string): Json | undefined {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof read !== 'object' || read === null) return undefined
  const message = read as Json
  if (typeof message.user_audio_chunk === 'string' || message.type === OPENING) return message
  const wanted = MESSAGES[String(message.type)]
  if (wanted === undefined) return undefined
  return Object.entries(wanted).every(([name, type]) => typeof message[name] === type) ? message : undefined
}
