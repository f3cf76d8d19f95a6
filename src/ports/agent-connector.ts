/** A call that is to be handed to a voice agent. */
export interface AgentCall {
  /** The agent's id at its platform. */
  agentUid: string
  /** Our call, which the platform names again when the conversation opens and ends. */
  callId: number | undefined
  callSid: string
  from: string
  to: string
  direction: 'inbound' | 'outbound'
}

/** How the voice-agent platform takes a call over by its own markup; the SIP way needs no request. */
export interface AgentConnector {
  /**
   * Registers the call and answers the platform's markup, or undefined when no API key is set.
   * Throws when the platform refuses or does not answer within `timeoutMs`.
   */
  registerCall(call: AgentCall, timeoutMs: number): Promise<string | undefined>
}
