import { plain } from './formats.ts'
import type { Keys } from './keys.ts'
import { useWords } from './words.ts'

/** The model of tools. */
export const TOOL = 'connect.voiceai_agent_tool'

/** Tools that every installation has. */
const KEYS: Readonly<Record<string, Keys['lines']>> = {
  calendar_create_event: 'tool_calendar_create_event',
  calendar_get_available_slots: 'tool_calendar_get_available_slots',
  calendar_get_current_date: 'tool_calendar_get_current_date',
  calendar_get_meetings: 'tool_calendar_get_meetings',
  calendar_remove_meeting: 'tool_calendar_remove_meeting',
  create_partner: 'tool_create_partner',
  helpdesk_create_ticket: 'tool_helpdesk_create_ticket',
  helpdesk_search_tickets: 'tool_helpdesk_search_tickets',
  helpdesk_fetch_ticket: 'tool_helpdesk_fetch_ticket',
  helpdesk_update_ticket: 'tool_helpdesk_update_ticket',
  helpdesk_ticket_activity: 'tool_helpdesk_ticket_activity',
  transfer_to_exten: 'tool_transfer_to_exten',
  transfer_to_agent: 'tool_transfer_to_agent',
  end_call: 'tool_end_call',
  language_detection: 'tool_language_detection',
  skip_turn: 'tool_skip_turn',
  play_keypad_touch_tone: 'tool_play_keypad_touch_tone',
  voicemail_detection: 'tool_voicemail_detection',
}

/** What a tool does, in words; a tool that somebody else made has only its name. */
export function useToolWords(): (name: string) => string {
  const say = useWords('lines')
  return (name) => {
    const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined
    return key === undefined ? plain(name) : say(key)
  }
}
