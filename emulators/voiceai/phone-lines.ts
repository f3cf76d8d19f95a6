import type { Faults } from '../faults.ts'
import type { Invitation, Line, Party, RingAnswer } from '../line.ts'
import type { Problems } from '../problems.ts'
import type { ServiceLink } from '../service-link.ts'
import type { StreamPeer } from '../telco/carrier/carrier.ts'
import { isAllowedAddress } from './allowed-address.ts'
import { Conversation } from './conversation/conversation.ts'
import type { PhoneCallRecord } from './conversation/conversation-record.ts'
import { finishConversation } from './conversation/finish-conversation.ts'
import {
  askForClientData,
  type IncomingCall,
  InitiationFailed,
  type OpeningData,
  openWith,
} from './conversation/initiation.ts'
import type { PostCall } from './conversation/post-call.ts'
import type { Script } from './conversation/script.ts'
import { headerVariables, SIP_HEADER_FORMS } from './conversation/sip-headers.ts'
import { isTelephoneAudio, overNoise } from './conversation/telephone-audio.ts'
import type { Json } from './rest/schemas.ts'
import { type Agent, newId, type Workspace } from './workspace.ts'

export interface PhoneLineParts {
  readonly workspace: Workspace
  readonly link: ServiceLink
  readonly problems: Problems
  readonly faults: Faults
  readonly postCall: PostCall
  /** Where calls over SIP come from. */
  readonly sourceAddress: string
}

/** A call that the service registered, waiting for its media stream. */
interface RegisteredCall {
  readonly agent: Agent
  readonly clientData: Json
  readonly call: IncomingCall
  readonly direction: 'inbound' | 'outbound'
}

const NOTHING_SAID = 'The caller and the agent talked.'
const REFUSED = 403
const NOT_FOUND = 404

/** How calls reach agents: over SIP, or over a media stream after the service registered them. */
export class PhoneLines {
  readonly #parts: PhoneLineParts
  readonly #scripts = new Map<string, Script[]>()
  readonly #registered = new Map<string, RegisteredCall>()
  #sipCalls = 0

  constructor(parts: PhoneLineParts) {
    this.#parts = parts
  }

  /** What an agent does in its next conversations, one script for each and the last one for all after it. */
  script(agentName: string, scripts: readonly Script[]): void {
    this.#scripts.set(agentName, [...scripts])
  }

  /** Who answers at the platform's SIP address. */
  get sip(): Party {
    return { ring: (invitation) => this.#ringSip(invitation) }
  }

  /** Who answers the platform's media streams. */
  get streams(): StreamPeer {
    return ({ parameters, callSid }) => {
      const registered = this.#registered.get(parameters.conversation_id ?? '')
      if (registered === undefined) return undefined
      return { ring: async () => this.#answerStream({ ...registered, call: { ...registered.call, callSid } }) }
    }
  }

  /** Keeps a call that is about to arrive over a media stream. What is wrong with its data shows when it does. */
  async register(
    agent: Agent,
    { from, to, direction, clientData }: { from: string; to: string; direction: string; clientData: Json | undefined },
  ): Promise<string> {
    const conversationId = newId('conv')
    const call: IncomingCall = { conversationId, callerId: from, calledNumber: to, callSid: '', sip: undefined }
    const isInbound = direction !== 'outbound'
    const data = clientData ?? (isInbound ? await askForClientData(this.#parts, agent, call) : {})
    this.#registered.set(conversationId, {
      agent,
      clientData: data,
      call,
      direction: isInbound ? 'inbound' : 'outbound',
    })
    return conversationId
  }

  async #ringSip({ to, from, extras }: Invitation): Promise<RingAnswer> {
    const { workspace, problems, sourceAddress } = this.#parts
    const called = decodeURIComponent(/^sips?:([^@]+)@/i.exec(to)?.[1] ?? '')
    const number = workspace.findNumber(called)
    const agent = workspace.agents.get(number?.agentId ?? '')
    if (number === undefined || agent === undefined) {
      problems.add({ where: 'voiceai', message: `no agent has the number ${called}` })
      return { kind: 'failed', sipCode: NOT_FOUND }
    }
    if (!isAllowedAddress(sourceAddress, number.inboundTrunk.allowed_addresses)) {
      problems.add({ where: 'voiceai', message: `calls from ${sourceAddress} to ${called} are not allowed` })
      return { kind: 'failed', sipCode: REFUSED }
    }
    const call = this.#sipCall({ from, called, headers: extras })
    const phoneCall: PhoneCallRecord = {
      type: 'sip_trunking',
      direction: 'inbound',
      phone_number_id: number.id,
      agent_number: called,
      external_number: call.callerId,
      call_sid: call.callSid,
      call_id: crypto.randomUUID(),
      sip_header_dynamic_variables: headerVariables(extras),
    }
    try {
      const opening = openWith(this.#parts, agent, call, await askForClientData(this.#parts, agent, call))
      const talk = (line: Line): Promise<void> => this.#talk(line, { agent, opening, phoneCall, call })
      return { kind: 'answered', afterSeconds: 1, talk }
    } catch (error) {
      if (!(error instanceof InitiationFailed)) throw error
      return this.#dropCall(agent, { call, phoneCall, reason: error.message })
    }
  }

  /**
   * A call as the platform's SIP side knows it: with an id of its own, and with headers and numbers in a form that changes
   * from call to call, so that nobody relies on one.
   */
  #sipCall({ from, called, headers }: { from: string; called: string; headers: Record<string, string> }): IncomingCall {
    const turn = this.#sipCalls
    this.#sipCalls += 1
    const caller = from.replace(/^sips?:([^@]+)@.*$/i, '$1')
    return {
      conversationId: newId('conv'),
      callerId: turn % 2 === 0 ? caller.replace(/^\+/, '') : caller,
      calledNumber: called,
      callSid: newId('SCL'),
      sip: { headers, form: SIP_HEADER_FORMS[turn % SIP_HEADER_FORMS.length] ?? 'none' },
    }
  }

  #answerStream({ agent, clientData, call, direction }: RegisteredCall): RingAnswer {
    const isInbound = direction === 'inbound'
    const phoneCall: PhoneCallRecord = {
      type: 'twilio',
      direction,
      phone_number_id: '',
      agent_number: isInbound ? call.calledNumber : call.callerId,
      external_number: isInbound ? call.callerId : call.calledNumber,
      call_sid: call.callSid,
      stream_sid: `MZ${call.conversationId.slice(-24)}`,
    }
    try {
      const opening = openWith(this.#parts, agent, call, clientData)
      const talk = (line: Line): Promise<void> => {
        if (isTelephoneAudio(agent)) return this.#talk(line, { agent, opening, phoneCall, call })
        const message = `${agent.name} is not set to \u00b5-law 8 kHz: both sides of a registered call hear noise`
        this.#parts.problems.add({ where: 'voiceai', message })
        return this.#talk(overNoise(line), { agent, opening, phoneCall, call })
      }
      return { kind: 'answered', afterSeconds: 0, talk }
    } catch (error) {
      if (!(error instanceof InitiationFailed)) throw error
      return this.#dropCall(agent, { call, phoneCall, reason: error.message })
    }
  }

  async #talk(
    line: Line,
    {
      agent,
      opening,
      phoneCall,
      call,
    }: { agent: Agent; opening: OpeningData; phoneCall: PhoneCallRecord; call: IncomingCall },
  ): Promise<void> {
    const script = this.nextScript(agent)
    const conversation = new Conversation(this.#parts, { agent, opening, line })
    await conversation.run(script)
    finishConversation(this.#parts, {
      id: call.conversationId,
      agent,
      turns: conversation.turns,
      startSeconds: conversation.startSeconds,
      durationSeconds: conversation.durationSeconds,
      language: opening.language,
      terminationReason: conversation.terminationReason,
      failure: undefined,
      isSuccessful: script?.isSuccessful ?? true,
      found: script,
      summary: script?.summary ?? NOTHING_SAID,
      phoneCall,
      variables: opening.variables,
      override: opening.override,
    })
  }

  /** The platform answers and puts the phone down at once: the caller is dropped. */
  #dropCall(
    agent: Agent,
    { call, phoneCall, reason }: { call: IncomingCall; phoneCall: PhoneCallRecord; reason: string },
  ): RingAnswer {
    this.#parts.problems.add({ where: 'voiceai', message: `${agent.name} cannot open a conversation: ${reason}` })
    const talk = async (line: Line): Promise<void> => {
      line.hangUp()
      finishConversation(this.#parts, {
        id: call.conversationId,
        agent,
        turns: [],
        startSeconds: line.clock.unixSeconds,
        durationSeconds: 0,
        language: 'en',
        terminationReason: reason,
        failure: reason,
        isSuccessful: false,
        summary: '',
        phoneCall,
        variables: new Map(),
        override: {},
      })
    }
    return { kind: 'answered', afterSeconds: 0, talk }
  }

  /** The script that the agent of this name follows next. */
  nextScript({ name }: Agent): Script | undefined {
    const scripts = this.#scripts.get(name) ?? []
    return scripts.length > 1 ? scripts.shift() : scripts[0]
  }
}
