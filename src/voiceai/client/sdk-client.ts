import { askOf, type ClientParts } from './ask.ts'
import { agentRequests, numberRequests } from './sdk-agents.ts'
import { knowledgeRequests } from './sdk-knowledge.ts'
import { toolRequests, webhookRequests, workspaceRequests } from './sdk-workspace.ts'

/**
 * What the service asks of the voice-agent platform. Every method throws a VoiceaiError that says in one sentence what is
 * wrong, and never waits for ever. Call none of them inside a database transaction.
 */
export type VoiceaiClient = ReturnType<typeof sdkClient>

/** The voice-agent platform through its own SDK, which is loaded with the first request and not before. */
export function sdkClient(parts: ClientParts) {
  const ask = askOf(parts)
  return {
    ...workspaceRequests(ask),
    ...webhookRequests(ask),
    ...toolRequests(ask),
    ...knowledgeRequests(ask),
    ...agentRequests(ask),
    ...numberRequests(ask),
  }
}
