import { CALENDAR_TOOLS } from '../../calendar/tools/tools.ts'
import { type InstalledTool, installedTools, type ToolArea } from '../../deliveries/tools/tool.ts'
import { toolTable } from '../../deliveries/tools/tool-table.ts'
import type { WebhookTable } from '../../deliveries/webhooks/webhook-table.ts'
import { helpdeskTools } from '../../helpdesk/tools/tools.ts'
import type { ToolDeadlines } from '../../voiceai/tools/tool-deadlines.ts'
import { CALL_TOOLS } from '../../voiceai/tools/tools.ts'
import type { TransferPorts } from '../../voiceai/tools/transfer-tool.ts'

/** The seven tools of the voice agent (docs/reference/contract.md#voice-agent-webhooks). */
const voiceaiTools: ToolArea<TransferPorts> = {
  area: 'voiceai',
  prefix: '/connect_voiceai',
  tools: [...CALL_TOOLS, ...CALENDAR_TOOLS],
}

/** Every tool of ours as it is installed (docs/reference/domain.md#seed-data). */
export const AGENT_TOOLS: readonly InstalledTool[] = [voiceaiTools, helpdeskTools].flatMap(installedTools)

/** The routes of the tools, by area. */
export function toolTables(
  ports: TransferPorts,
  deadlines: ToolDeadlines,
): Record<'voiceai' | 'helpdesk', WebhookTable> {
  const parts = {
    ports,
    deadlineOf: deadlines.ofPath.bind(deadlines),
    budgetOf: deadlines.budgetOfPath.bind(deadlines),
  }
  return { voiceai: toolTable(voiceaiTools, parts), helpdesk: toolTable(helpdeskTools, parts) }
}
