import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problems } from '../problems.ts'
import type { ServiceLink } from '../service-link.ts'
import { CLOSED, WebSocketPeer } from '../web-socket.ts'
import { BrowserLine } from './conversation/browser-line.ts'
import { Conversation } from './conversation/conversation.ts'
import { finishConversation } from './conversation/finish-conversation.ts'
import { type IncomingCall, InitiationFailed, type OpeningData, openWith } from './conversation/initiation.ts'
import { answersPlainly } from './conversation/plain-agent.ts'
import type { PostCall } from './conversation/post-call.ts'
import type { PhoneLines } from './phone-lines.ts'
import type { Json } from './rest/schemas.ts'
import { type Agent, newId, type Workspace } from './workspace.ts'

interface TalkParts {
  readonly workspace: Workspace
  readonly link: ServiceLink
  readonly problems: Problems
  readonly postCall: PostCall
}

interface Signed {
  readonly agentId: string
  readonly untilMs: number
  /** Of the one conversation that the address counts for. */
  readonly conversationId: string | undefined
}

const PATH = '/v1/convai/conversation'
/** Which the platform's client library asks for, and a browser then expects (`MAIN_PROTOCOL` of @elevenlabs/client 1.25.0). */
const PROTOCOL = 'convai'
/** "Signed URLs are valid for 15 minutes" (the platform's page "Agent authentication", read 2026-11-27). */
const SIGNED_MS = 15 * 60_000
const SIGNATURE_BYTES = 16
/** "Unauthorized" of the IANA registry of close codes; the platform closes with it what it does not let in. */
const UNAUTHORIZED = 3000
const SUMMARY = 'Somebody talked with the agent in a browser.'

/** Conversations in a browser: a signed address, and the WebSocket that it opens. */
export class BrowserTalks {
  readonly #parts: TalkParts
  readonly #lines: Pick<PhoneLines, 'nextScript'>
  readonly #signed = new Map<string, Signed>()

  constructor(parts: TalkParts, lines: Pick<PhoneLines, 'nextScript'>) {
    this.#parts = parts
    this.#lines = lines
  }

  /** An address for the agent; with `isOnce`, for one conversation only (`include_conversation_id`). */
  sign(agentId: string, { origin, isOnce }: { origin: string; isOnce: boolean }): string {
    const signature = `cvtkn_${randomBytes(SIGNATURE_BYTES).toString('hex')}`
    const conversationId = isOnce ? newId('conv') : undefined
    this.#signed.set(signature, { agentId, untilMs: Date.now() + SIGNED_MS, conversationId })
    const query = new URLSearchParams({ agent_id: agentId, conversation_signature: signature })
    if (conversationId !== undefined) query.set('conversation_id', conversationId)
    return `${origin.replace(/^http/, 'ws')}${PATH}?${query}`
  }

  /** A browser that comes to such an address, or to that of an agent which everybody may talk with. */
  accept(request: IncomingMessage, socket: Duplex): void {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname !== PATH) {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    const peer = WebSocketPeer.accept(request, socket, { protocol: PROTOCOL })
    if (peer === undefined) return
    const admitted = this.#admit(query)
    if (typeof admitted === 'string') {
      peer.close(UNAUTHORIZED, admitted)
      return
    }
    const { agent, conversationId } = admitted
    const line = new BrowserLine(peer, { agent, problems: this.#parts.problems })
    line.open((opening) => this.#talk(line, { agent, conversationId, opening }))
  }

  #admit(query: URLSearchParams): { agent: Agent; conversationId: string } | string {
    const agent = this.#parts.workspace.agents.get(query.get('agent_id') ?? '')
    if (agent === undefined) return 'The AI agent you are trying to reach does not exist.'
    const signature = query.get('conversation_signature')
    const signed = signature === null ? undefined : this.#signed.get(signature)
    if (signature !== null) {
      const counts = signed?.agentId === agent.id && signed.untilMs > Date.now()
      if (!counts) return 'The signature is not valid.'
      if (signed.conversationId !== undefined) this.#signed.delete(signature)
    } else if (agent.config.platform_settings?.auth?.enable_auth === true) {
      return 'The agent requires a signed address.'
    }
    return { agent, conversationId: signed?.conversationId ?? newId('conv') }
  }

  async #talk(
    line: BrowserLine,
    { agent, conversationId, opening: asked }: { agent: Agent; conversationId: string; opening: Json },
  ): Promise<void> {
    const call: IncomingCall = { conversationId, callerId: '', calledNumber: '', callSid: '', sip: undefined }
    let opening: OpeningData
    try {
      opening = openWith(this.#parts, agent, call, asked)
    } catch (error) {
      if (!(error instanceof InitiationFailed)) throw error
      this.#parts.problems.add({
        where: 'voiceai',
        message: `${agent.name} cannot open a conversation: ${error.message}`,
      })
      return line.refuse(CLOSED.refused, error.message)
    }
    line.begin(conversationId)
    const script = this.#lines.nextScript(agent)
    const conversation = new Conversation(this.#parts, { agent, opening, line, used: (used) => line.showTool(used) })
    await conversation.run(script ?? { turns: [answersPlainly] })
    finishConversation(this.#parts, {
      id: conversationId,
      agent,
      turns: conversation.turns,
      startSeconds: conversation.startSeconds,
      durationSeconds: conversation.durationSeconds,
      language: opening.language,
      terminationReason: conversation.terminationReason,
      failure: undefined,
      isSuccessful: script?.isSuccessful ?? true,
      found: script,
      summary: script?.summary ?? SUMMARY,
      phoneCall: null,
      browser: {
        isTextOnly: line.isTextOnly,
        keepsSound: agent.config.platform_settings?.privacy?.record_voice !== false,
        source: sourceIn(asked),
      },
      variables: opening.variables,
      override: opening.override,
    })
  }
}

function sourceIn({ source_info: info }: Json): string {
  const { source } = (info ?? {}) as { source?: unknown }
  return typeof source === 'string' ? source : 'unknown'
}
