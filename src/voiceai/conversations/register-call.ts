import type { Database } from '../../database/database.ts'
import { withinDeadline } from '../../deliveries/webhooks/deadline.ts'
import type { IncomingRequest } from '../../deliveries/webhooks/webhook-table.ts'
import { parseJson } from '../../json.ts'
import type { Platform } from '../../platform/access/env.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import type { AgentCall, AgentConnector } from '../../ports/agent-connector.ts'
import type { PhoneDirectory } from '../../ports/phone-directory.ts'
import { ProviderUnavailable } from '../../ports/telco-client.ts'
import type { PlatformAgents } from '../agents/platform-agents.ts'
import { toVoiceaiError } from '../client/provider-error.ts'
import { emptyEnvelope, INITIATION_DEADLINE_MS, initiateConversation } from './conversation-initiation.ts'

const PATH = '/v1/convai/twilio/register-call'
/** More than this the phone provider does not take (docs/reference/providers.md#voice-answers). */
const MARKUP_CHARS_MAX = 64 * 1024

interface ConnectorParts {
  platform: Platform
  db: Database
  identities: Identities
  directory: PhoneDirectory
  agents: PlatformAgents
  baseUrl: string
}

/**
 * Hands calls to the platform by one plain request: a caller is waiting, so the SDK and its 0.6 s of loading stay away.
 * Reads on connections of its own: call it between transactions.
 */
export function agentConnector(parts: ConnectorParts): AgentConnector {
  return {
    async registerCall(call, timeoutMs) {
      const { voiceaiApiKey: apiKey } = await parts.platform.settings.get()
      if (apiKey === undefined || !(await isForTelephones(parts.agents, call))) return undefined
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        return await register(parts, call, { apiKey, signal, timeoutMs })
      } catch (thrown) {
        if (thrown instanceof ProviderUnavailable) throw thrown
        const { message } = toVoiceaiError(thrown, [apiKey])
        throw new ProviderUnavailable(message)
      }
    },
  }
}

/**
 * Registered, an agent whose audio at the platform is not that of telephones would be noise; over SIP the platform
 * converts. An agent that is not known here counts as one that was set up for telephones.
 */
async function isForTelephones(agents: PlatformAgents, { agentUid }: AgentCall): Promise<boolean> {
  const known = await agents.get().catch(() => agents.last)
  return known.get(agentUid)?.isForTelephones ?? true
}

async function register(
  parts: ConnectorParts,
  call: AgentCall,
  { apiKey, signal, timeoutMs }: { apiKey: string; signal: AbortSignal; timeoutMs: number },
): Promise<string> {
  const deadlineMs = Math.min(INITIATION_DEADLINE_MS, timeoutMs / 2)
  // The same answer as to the platform's own question; a call without it is better than no call.
  const envelope = await withinDeadline(describeCall(parts, call), deadlineMs).catch(
    () => emptyEnvelope(parts.agents, arrivalOf(call, parts.platform.clock())).body,
  )
  const { type: _type, ...clientData } = JSON.parse(envelope) as Record<string, unknown>
  const reply = await fetch(parts.baseUrl + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'xi-api-key': apiKey },
    body: JSON.stringify({
      agent_id: call.agentUid,
      from_number: call.from,
      to_number: call.to,
      direction: call.direction,
      conversation_initiation_client_data: clientData,
    }),
    redirect: 'error',
    signal,
  })
  const text = await reply.text()
  if (!reply.ok) throw toVoiceaiError({ statusCode: reply.status, body: parseJson(text) }, [apiKey])
  return readMarkup(text)
}

async function describeCall({ platform, db, identities, directory, agents }: ConnectorParts, call: AgentCall) {
  const [settings, identity] = await Promise.all([platform.settings.get(), identities.webhook()])
  const env = { platform, settings, identity, db, now: platform.clock(), context: {} }
  const { body } = await initiateConversation(env, arrivalOf(call, env.now), { directory, agents })
  return body
}

/** What the platform would ask us about this call. */
function arrivalOf({ agentUid, callId, callSid, from, to }: AgentCall, receivedAt: Date): IncomingRequest {
  const question = {
    caller_id: from,
    called_number: to,
    agent_id: agentUid,
    call_sid: callSid,
    ...(callId === undefined ? {} : { sip_headers: { 'x-connect-call-ref': String(callId) } }),
  }
  const body = Buffer.from(JSON.stringify(question))
  return { target: '', headers: {}, body, params: {}, isHttps: true, host: '', receivedAt, subject: {} }
}

/** The markup is answered as it is, or as a JSON text. */
function readMarkup(text: string): string {
  const parsed = parseJson(text)
  const markup = (typeof parsed === 'string' ? parsed : text).trim()
  if (markup.length <= MARKUP_CHARS_MAX && /^(?:<\?xml[^>]*\?>\s*)?<Response[\s/>]/.test(markup)) return markup
  throw new ProviderUnavailable('ElevenLabs answered something that is no markup.')
}
