import { CALENDAR_TOOLS } from '../calendar/tools/tools.ts'
import { type InstalledTool, installedTools, type ToolArea } from '../deliveries/tools/tool.ts'
import { helpdeskTools } from '../helpdesk/tools/tools.ts'
import { CALL_TOOLS } from '../voiceai/tools/tools.ts'
import type { TransferPorts } from '../voiceai/tools/transfer-tool.ts'

/** The seven tools of the voice agent (docs/reference/contract.md#voice-agent-webhooks). */
const voiceaiTools: ToolArea<TransferPorts> = {
  area: 'voiceai',
  prefix: '/connect_voiceai',
  tools: [...CALL_TOOLS, ...CALENDAR_TOOLS],
}

/** Every tool of ours, by area. */
export const TOOL_AREAS = { voiceai: voiceaiTools, helpdesk: helpdeskTools } as const

/** Every tool of ours as it is installed (docs/reference/domain.md#seed-data). */
export const AGENT_TOOLS: readonly InstalledTool[] = [...installedTools(voiceaiTools), ...installedTools(helpdeskTools)]
