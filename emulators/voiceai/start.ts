import { randomBytes } from 'node:crypto'
import { type FaultOptions, Faults } from '../faults.ts'
import { EmulatorServer, type ReceivedRequest } from '../http-server.ts'
import type { Party } from '../line.ts'
import { type Problem, Problems } from '../problems.ts'
import { type ServiceAddress, ServiceLink } from '../service-link.ts'
import type { StreamPeer } from '../telco/carrier/carrier.ts'
import { VirtualClock } from '../virtual-clock.ts'
import { BrowserTalks } from './browser-talks.ts'
import { type DeliveredPostCall, PostCall } from './conversation/post-call.ts'
import type { Script } from './conversation/script.ts'
import { PhoneLines } from './phone-lines.ts'
import { VoiceaiApi } from './rest/api.ts'
import { Workspace, type WorkspaceSnapshot } from './workspace.ts'

export interface VoiceaiEmulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** Where the service is; may be told later with `connectService`. */
  readonly service?: ServiceAddress
  readonly apiKey?: string
  /** What an earlier emulator held; its key counts in the place of the one above. */
  readonly restore?: WorkspaceSnapshot
  readonly faults?: FaultOptions
  /** Shared with the other emulator, so that both live in the same time. */
  readonly clock?: VirtualClock
  readonly problems?: Problems
  /** Hears of each problem when it comes up. */
  readonly onProblem?: (problem: Problem) => void
  /** Header that carries the signature; the provider's own unless told otherwise. */
  readonly signatureHeader?: string
  /** Where calls over SIP come from; one of the telephony provider's addresses unless told otherwise. */
  readonly sourceAddress?: string
}

const SIGNATURE_HEADER = 'ElevenLabs-Signature'
const SOURCE_ADDRESS = '54.172.60.1'
const KEY_BYTES = 24

/** A conversation that never came about, for `failCall`. */
export interface FailedCall {
  readonly agentId: string
  readonly reason: 'busy' | 'no-answer' | 'unknown'
  readonly callSid: string
  readonly from: string
  readonly to: string
}

/** The voice-agent platform on this machine: its REST API, its webhooks, and agents that follow a script. */
export class VoiceaiEmulator {
  readonly workspace: Workspace
  readonly problems: Problems
  readonly #server: EmulatorServer
  readonly #link: ServiceLink
  readonly #lines: PhoneLines
  readonly #postCall: PostCall

  constructor(parts: {
    workspace: Workspace
    problems: Problems
    server: EmulatorServer
    link: ServiceLink
    lines: PhoneLines
    postCall: PostCall
  }) {
    this.workspace = parts.workspace
    this.problems = parts.problems
    this.#server = parts.server
    this.#link = parts.link
    this.#lines = parts.lines
    this.#postCall = parts.postCall
  }

  /** For VOICEAI_BASE_URL. */
  get url(): string {
    return this.#server.url
  }

  /** What was asked through the API, newest last. */
  get requests(): readonly ReceivedRequest[] {
    return this.#server.received
  }

  /** What was delivered after calls, newest last. */
  get deliveries(): readonly DeliveredPostCall[] {
    return this.#postCall.delivered
  }

  /** Who answers calls to the platform's SIP host. */
  get sip(): Party {
    return this.#lines.sip
  }

  /** Who answers the platform's media streams. */
  get streams(): StreamPeer {
    return this.#lines.streams
  }

  connectService(address: ServiceAddress): void {
    this.#link.connect(address)
  }

  /** What the agent of this name does in its next conversations. */
  script(agentName: string, ...scripts: readonly Script[]): void {
    this.#lines.script(agentName, scripts)
  }

  /** Reports an outgoing attempt that reached nobody. */
  failCall({ agentId, reason, callSid, from, to }: FailedCall): string {
    const conversationId = `conv_failed_${callSid}`
    const body = {
      from_number: from,
      to_number: to,
      call_sid: callSid,
      sip_status_code: 486,
      error_reason: `INVITE failed: ${reason}`,
      sip_status: 'Busy here',
      twirp_code: 'unavailable',
    }
    this.#postCall.deliver('call_initiation_failure', {
      agent_id: agentId,
      conversation_id: conversationId,
      failure_reason: reason,
      metadata: { type: 'sip', body },
    })
    return conversationId
  }

  async stop(): Promise<void> {
    await this.#server.close()
    this.#link.close()
  }
}

/** Starts the emulator of the voice-agent platform. */
export async function startVoiceaiEmulator(options: VoiceaiEmulatorOptions = {}): Promise<VoiceaiEmulator> {
  const {
    clock = new VirtualClock(),
    problems = new Problems(options.onProblem),
    restore,
    apiKey = restore?.apiKey ?? randomBytes(KEY_BYTES).toString('hex'),
    signatureHeader = SIGNATURE_HEADER,
    sourceAddress = SOURCE_ADDRESS,
  } = options
  const workspace = new Workspace({ apiKey, clock })
  if (restore !== undefined) workspace.restore(restore)
  const link = new ServiceLink()
  if (options.service !== undefined) link.connect(options.service)
  const faults = new Faults(options.faults)
  const postCall = new PostCall({ workspace, link, problems, faults, signatureHeader })
  const lines = new PhoneLines({ workspace, link, problems, faults, postCall, sourceAddress })
  const talks = new BrowserTalks({ workspace, link, problems, postCall }, lines)
  const api = new VoiceaiApi(workspace, { lines, talks }, problems)
  const server = await EmulatorServer.start({
    port: options.port ?? 0,
    answer: (request) => api.answer(request),
    upgrade: (request, socket) => talks.accept(request, socket),
  })
  return new VoiceaiEmulator({ workspace, problems, server, link, lines, postCall })
}
