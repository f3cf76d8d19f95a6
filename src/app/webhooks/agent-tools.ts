import type { ToolPorts } from '../../area.ts'
import { type InstalledTool, installedTools, type ToolArea } from '../../deliveries/tools/tool.ts'
import { toolTable } from '../../deliveries/tools/tool-table.ts'
import type { WebhookTable } from '../../deliveries/webhooks/webhook-table.ts'
import type { ToolDeadlines } from '../../voiceai/tools/tool-deadlines.ts'
import { AREAS } from '../areas.ts'

/** Tools of the areas, those of one prefix together (docs/reference/contract.md#voice-agent-webhooks). */
const TOOLS: readonly ToolArea<ToolPorts>[] = [
  ...Map.groupBy(
    AREAS.flatMap(({ tools }) => tools ?? []),
    ({ prefix }) => prefix,
  ).values(),
].flatMap(([first, ...others]) =>
  first === undefined ? [] : { ...first, tools: [first, ...others].flatMap(({ tools }) => tools) },
)

/** Every tool of ours as it is installed (docs/reference/domain.md#seed-data). */
export const AGENT_TOOLS: readonly InstalledTool[] = TOOLS.flatMap(installedTools)

/** The routes of the tools, one table a prefix. */
export function toolTables(ports: ToolPorts, deadlines: ToolDeadlines): WebhookTable[] {
  const parts = {
    ports,
    deadlineOf: deadlines.ofPath.bind(deadlines),
    budgetOf: deadlines.budgetOfPath.bind(deadlines),
  }
  return TOOLS.map((area) => toolTable(area, parts))
}
