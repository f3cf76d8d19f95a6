import { checkToolToken } from '../../deliveries/tools/agent-token.ts'
import { TOOL_PROOF, UNAUTHORIZED } from '../../deliveries/tools/tool-table.ts'
import type { WebhookTable } from '../../deliveries/webhooks/webhook-table.ts'
import type { PhoneDirectory } from '../../ports/phone-directory.ts'
import type { PlatformAgents } from '../agents/platform-agents.ts'
import { emptyEnvelope, initiateConversation } from './conversation-initiation.ts'
import { INITIATION_SHAPE } from './shapes.ts'

/**
 * The caller hears it ring while this is asked (docs/reference/providers.md#conversation-initiation): after 2 s the
 * call goes on without.
 */
export const INITIATION_DEADLINE_MS = 2_000
const INITIATION_BYTES_MAX = 1024 * 1024

/** The route that the platform asks before a conversation, behind the agent token. */
export function initiationTable(parts: { directory: PhoneDirectory; agents: PlatformAgents }): WebhookTable {
  return {
    area: 'voiceai',
    prefix: '/connect_voiceai',
    rows: [
      {
        path: '/conversation_initiation',
        describes: INITIATION_SHAPE,
        access: 'read',
        deadlineMs: INITIATION_DEADLINE_MS,
        bodyBytesMax: INITIATION_BYTES_MAX,
        run: (env, arrival) => initiateConversation(env, arrival, parts),
      },
    ],
    proof: TOOL_PROOF,
    authenticateHeaders: checkToolToken,
    reject: () => UNAUTHORIZED,
    fallback: (_row, _error, arrival) => emptyEnvelope(parts.agents, arrival),
  }
}
