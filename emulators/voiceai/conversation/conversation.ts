import { CallEnded, type Line } from '../../line.ts'
import { Mailbox } from '../../mailbox.ts'
import { type Agent, type KnowledgeDocument, newId, type Tool } from '../workspace.ts'
import type { TurnRecord } from './conversation-record.ts'
import type { OpeningData } from './initiation.ts'
import type { Script } from './script.ts'
import { callTool, type ToolParts, type ToolResult, valueAt } from './tool-call.ts'
import type { ToolArguments } from './tool-request.ts'
import { fill } from './variables.ts'

const THINKING_SECONDS = 1
const DURATION_SECONDS_MAX = 600

/** What somebody sees of a tool while the conversation goes on. */
export interface UsedTool {
  readonly id: string
  readonly tool: Tool
  readonly result: ToolResult
}

/** One exchange between a caller and an agent, while it goes on. */
export class Conversation {
  readonly turns: TurnRecord[] = []
  readonly startSeconds: number
  terminationReason = ''
  readonly #parts: ToolParts
  readonly #agent: Agent
  readonly #opening: OpeningData
  readonly #line: Line
  readonly #used: ((used: UsedTool) => void) | undefined
  readonly #said = new Mailbox<string>()
  readonly #results = new Map<string, unknown>()

  constructor(
    parts: ToolParts,
    options: { agent: Agent; opening: OpeningData; line: Line; used?: (used: UsedTool) => void },
  ) {
    this.#parts = parts
    this.#agent = options.agent
    this.#opening = options.opening
    this.#line = options.line
    this.#used = options.used
    this.startSeconds = options.line.clock.unixSeconds
  }

  get durationSeconds(): number {
    return this.#line.clock.unixSeconds - this.startSeconds
  }

  /** Greets, does what the script says, and stays on the line until the caller or the limit ends it. */
  async run(script: Script | undefined): Promise<void> {
    void this.#listen()
    try {
      const { firstMessage } = this.#opening
      if (firstMessage !== '') await this.say(firstMessage)
      for (const turn of script?.turns ?? []) await turn(this)
      await this.#line.clock.sleep(this.#secondsLeft, this.#line.ended)
      this.terminationReason = 'Conversation exceeded maximum duration'
      this.#line.hangUp()
    } catch (error) {
      if (!(error instanceof CallEnded)) throw error
      this.terminationReason ||= 'Client disconnected: 1005'
    }
  }

  async say(words: string): Promise<void> {
    const filled = String(this.#filled(words))
    if (filled.includes('{{')) this.#complain(`the agent would say "${filled}"`)
    await this.#line.say(filled)
    this.#record({ role: 'agent', message: filled })
  }

  /** Reads out the document that has these words, or admits that it does not know. */
  async answer(words: string): Promise<void> {
    const documents = this.#parts.workspace.documentsOf(this.#agent)
    const known = documents.find(({ content }) => content.toLowerCase().includes(words.toLowerCase()))
    await this.say(known?.content ?? "I'm sorry, I don't have that information.")
  }

  async waitFor(words: string): Promise<void> {
    const heard: string[] = []
    const isIt = (utterance: string): boolean => utterance.toLowerCase().includes(words.toLowerCase())
    try {
      do heard.push(await this.#said.take(this.#line.ended))
      while (!heard.some(isIt))
    } catch (error) {
      this.#complain(`the agent waited to hear "${words}" and heard ${JSON.stringify(heard)}`)
      throw error
    }
  }

  /** What the caller says next. */
  next(): Promise<string> {
    return this.#said.take(this.#line.ended)
  }

  /** What the agent can use, what it knows, what it is told to do, and in which language it speaks. */
  get means(): {
    tools: readonly Tool[]
    documents: readonly KnowledgeDocument[]
    prompt: string
    language: string
  } {
    const { workspace } = this.#parts
    const prompt = this.#agent.config.conversation_config?.agent?.prompt?.prompt ?? ''
    const { language } = this.#opening
    return { tools: workspace.toolsOf(this.#agent), documents: workspace.documentsOf(this.#agent), prompt, language }
  }

  /** Calls one of the agent's tools; what it answered can be spoken of afterwards. */
  async call(
    name: string,
    given: ToolArguments,
    { expectsError = false }: { expectsError?: boolean | 'either' } = {},
  ): Promise<void> {
    const tool = this.#parts.workspace.toolsOf(this.#agent).find(({ config }) => config.name === name)
    if (tool === undefined) return this.#complain(`the agent has no tool ${name}`)
    await this.#line.clock.sleep(THINKING_SECONDS, this.#line.ended)
    const filled = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, this.#filled(value)]))
    const variables = this.#opening.variables
    variables.set('system__call_duration_secs', this.durationSeconds)
    const result = await callTool(this.#parts, tool, { given: filled, variables })
    this.#results.set(name, result.value ?? result.text)
    this.#used?.({ id: newId('req'), tool, result })
    if (expectsError !== 'either' && result.isError !== expectsError) {
      this.#complain(`${name} ${result.isError ? 'refused' : 'did not refuse'} ${result.parameters}: ${result.text}`)
    }
    const request = { type: 'webhook', request_id: newId('req'), tool_name: name, tool_has_been_called: true }
    this.#record({
      role: 'agent',
      message: null,
      tool_calls: [{ ...request, params_as_json: result.parameters, tool_details: null }],
      tool_results: [
        {
          ...request,
          result_value: result.text,
          is_error: result.isError,
          tool_latency_secs: 0.4,
          error_type: result.isError ? 'tool_error' : '',
          raw_error_message: null,
          dynamic_variable_updates: [],
        },
      ],
    })
    // A tool may have taken the call away from the agent.
    this.#line.ended.throwIfAborted()
  }

  /** A variable of the call, or a part of what a tool answered last, such as `create_ticket.ticket_id`. */
  heard(path: string): unknown {
    const [tool = '', ...inside] = path.split('.')
    if (!this.#results.has(tool)) return this.#opening.variables.get(path)
    const result = this.#results.get(tool)
    return inside.length === 0 ? result : valueAt(result, inside.join('.'))
  }

  pause(seconds: number): Promise<void> {
    return this.#line.clock.sleep(seconds, this.#line.ended)
  }

  beside(work: () => Promise<void>): Promise<void> {
    return this.#line.clock.during(work)
  }

  /** Puts the phone down. */
  end(): void {
    const tools = this.#agent.config.conversation_config?.agent?.prompt?.built_in_tools ?? {}
    if (!tools.end_call) this.#complain('the agent has no system tool to end a call')
    this.terminationReason = 'end_call tool was called.'
    this.#line.hangUp()
    this.#line.ended.throwIfAborted()
  }

  get #secondsLeft(): number {
    const limit = this.#agent.config.conversation_config?.conversation?.max_duration_seconds ?? DURATION_SECONDS_MAX
    return Math.max(0, limit - this.durationSeconds)
  }

  /** A text with its variables and results; a text that is nothing but one of them becomes that value. */
  #filled(value: unknown): unknown {
    if (typeof value !== 'string') return value
    const only = /^\{\{\s*([\w.]+)\s*\}\}$/.exec(value)?.[1]
    if (only !== undefined) return this.heard(only) ?? value
    const known = new Map(this.#opening.variables)
    for (const [, name = ''] of value.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)) {
      const found = this.heard(name)
      if (found !== undefined) known.set(name, found)
    }
    return fill(value, known)
  }

  async #listen(): Promise<void> {
    try {
      for (;;) {
        const words = await this.#line.listen()
        this.#record({ role: 'user', message: words })
        this.#said.put(words)
      }
    } catch {
      // The call has ended.
    }
  }

  #record(turn: Partial<TurnRecord> & Pick<TurnRecord, 'role' | 'message'>): void {
    this.turns.push({
      tool_calls: null,
      tool_results: null,
      feedback: null,
      time_in_call_secs: this.durationSeconds,
      conversation_turn_metrics: null,
      llm_override: null,
      rag_retrieval_info: null,
      original_message: null,
      source_medium: null,
      interrupted: false,
      ...turn,
    })
  }

  #complain(message: string): void {
    this.#parts.problems.add({ where: 'voiceai', message: `${this.#agent.name}: ${message}` })
  }
}
