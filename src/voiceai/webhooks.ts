import { checkToolToken } from '../deliveries/tools/agent-token.ts'
import { described, TOOL_PROOF, type Tool, toolTable, UNAUTHORIZED } from '../deliveries/tools/tool-table.ts'
import type { WebhookTable } from '../deliveries/webhooks/webhook-table.ts'
import type { PhoneDirectory } from '../ports/phone-directory.ts'
import type { TelcoClient } from '../ports/telco-client.ts'
import type { PlatformAgents } from './agents/platform-agents.ts'
import { emptyEnvelope, initiateConversation } from './conversations/conversation-initiation.ts'
import { INITIATION_SHAPE } from './conversations/shapes.ts'
import { bookMeeting, freeSlotsTool, listMeetings, removeMeeting, tellDate } from './tools/calendar-tools.ts'
import { createPartner } from './tools/create-partner.ts'
import { VOICEAI_SHAPES } from './tools/shapes.ts'
import { transferTool } from './tools/transfer-tool.ts'

/**
 * The caller hears it ring while this is asked (docs/reference/providers.md#conversation-initiation): after 2 s the
 * call goes on without.
 */
export const INITIATION_DEADLINE_MS = 2_000
const INITIATION_BYTES_MAX = 1024 * 1024

interface VoiceaiParts {
  directory: PhoneDirectory
  agents: PlatformAgents
  client: TelcoClient
  /** Milliseconds that the work of the tool at an address may take. */
  deadlineOf: (path: string) => number
}

/** The eight routes behind the agent token: docs/reference/contract.md#voice-agent-webhooks without post_call. */
export function voiceaiTables({ directory, agents, client, deadlineOf }: VoiceaiParts): WebhookTable[] {
  const tools: readonly Tool[] = described(VOICEAI_SHAPES, [
    { path: '/transfer', access: 'own', run: transferTool({ directory, client }) },
    { path: '/create_partner', access: 'write', run: createPartner },
    { path: '/get_available_slots', access: 'read', run: freeSlotsTool },
    { path: '/create_event', access: 'write', run: bookMeeting },
    { path: '/get_current_date', access: 'read', ignoresBody: true, run: tellDate },
    { path: '/get_meetings', access: 'read', run: listMeetings },
    { path: '/remove_meeting', access: 'write', run: removeMeeting },
  ])
  const initiation: WebhookTable = {
    area: 'voiceai',
    prefix: '/connect_voiceai',
    rows: [
      {
        path: '/conversation_initiation',
        describes: INITIATION_SHAPE,
        access: 'read',
        deadlineMs: INITIATION_DEADLINE_MS,
        bodyBytesMax: INITIATION_BYTES_MAX,
        run: (env, arrival) => initiateConversation(env, arrival, { directory, agents }),
      },
    ],
    proof: TOOL_PROOF,
    authenticateHeaders: checkToolToken,
    reject: () => UNAUTHORIZED,
    fallback: (_row, _error, arrival) => emptyEnvelope(agents, arrival),
  }
  return [initiation, toolTable({ area: 'voiceai', prefix: '/connect_voiceai', tools, isElevated: false, deadlineOf })]
}
