import type { Tool } from '../../deliveries/tools/tool.ts'
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
]
