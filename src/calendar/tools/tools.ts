import { Type } from 'typebox'
import type { Tool, ToolUse } from '../../deliveries/tools/tool.ts'
import { toolStatus } from '../../deliveries/tools/tool-table.ts'
import { Refusal } from '../../errors.ts'
import { createEventTool } from './create-event.ts'
import { getAvailableSlotsTool } from './get-available-slots.ts'
import { getCurrentDateTool } from './get-current-date.ts'
import { getMeetingsTool } from './get-meetings.ts'
import { removeMeetingTool } from './remove-meeting.ts'

/** The calendar tools, in the order in which they are installed (docs/reference/contract.md#voice-agent-webhooks). */
export const CALENDAR_TOOLS: readonly Tool[] = [
  getAvailableSlotsTool,
  createEventTool,
  getCurrentDateTool,
  getMeetingsTool,
  removeMeetingTool,
].map(withStatus)

/** The calendar tools have always carried `status` and `detail`; a refusal carries them beside its sentence. */
function withStatus(tool: Tool): Tool {
  return {
    ...tool,
    refusalExtra: { status: Type.Integer(), detail: Type.String() },
    async run(env: never, sent: Record<string, unknown>, use: ToolUse) {
      try {
        return await tool.run(env, sent, use)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        throw error.with({ details: { status: toolStatus(error), detail: error.message } })
      }
    },
  }
}
