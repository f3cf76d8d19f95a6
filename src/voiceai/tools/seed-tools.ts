/** One parameter of a tool: asked of the agent, or filled by the platform from a dynamic variable. */
export interface SeedParam {
  name: string
  type: 'string' | 'integer' | 'boolean'
  required?: boolean
  /** What the agent is told; without it the parameter is a dynamic variable of the same name. */
  description?: string
}

export interface SeedTool {
  name: string
  path: string
  timeoutSecs: number
  description: string
  params: readonly SeedParam[]
}

const CALL_ID: SeedParam = { name: 'call_id', type: 'integer', required: true }
const TICKET_ID: SeedParam = {
  name: 'ticket_id',
  type: 'integer',
  required: true,
  description: 'Number of the ticket, as the search or the caller gave it.',
}
const TIMEZONE: SeedParam = {
  name: 'timezone',
  type: 'string',
  description: "The caller's time zone, such as Europe/Zurich, or an offset from UTC in hours. Leave out when unknown.",
}
const ORGANISER: SeedParam = {
  name: 'user_id',
  type: 'integer',
  required: true,
  description: 'Id of the colleague whose calendar it is, as the instructions give it.',
}

/** The seven tools of the voice agent and the five of the helpdesk (docs/reference/domain.md#seed-data). */
export const WEBHOOK_TOOLS: readonly SeedTool[] = [
  {
    name: 'transfer_to_exten',
    path: '/connect_voiceai/transfer',
    timeoutSecs: 10,
    description:
      'Transfers the live call to one of the available extensions. Use it when the caller asks for a person or ' +
      'department that is on the list, and say that you are connecting them. Do not use it for numbers not on the list.',
    params: [
      { name: 'exten', type: 'string', required: true, description: 'The extension, digits only, such as 101.' },
      { name: 'channel_sid', type: 'string', required: true },
    ],
  },
  {
    name: 'create_partner',
    path: '/connect_voiceai/create_partner',
    timeoutSecs: 20,
    description:
      'Saves the caller as a contact. Use it once, after a caller who is not known yet has told you their name. ' +
      'The phone number is taken from the call; never ask for it.',
    params: [{ name: 'name', type: 'string', required: true, description: 'Full name of the caller.' }, CALL_ID],
  },
  {
    name: 'calendar_get_available_slots',
    path: '/connect_voiceai/get_available_slots',
    timeoutSecs: 10,
    description: 'Tells when a colleague is free on a day. Use it before you offer or book a meeting.',
    params: [
      ORGANISER,
      {
        name: 'start',
        type: 'string',
        description: 'The day, written YYYY-MM-DD. Leave out for the next working day.',
      },
      TIMEZONE,
    ],
  },
  {
    name: 'calendar_create_event',
    path: '/connect_voiceai/create_event',
    timeoutSecs: 10,
    description: 'Books a meeting with a colleague. Use it only for a time that is free and that the caller agreed to.',
    params: [
      ORGANISER,
      { name: 'name', type: 'string', description: 'What the meeting is about.' },
      { name: 'start', type: 'string', required: true, description: 'Start, local time, written YYYY-MM-DD HH:MM:SS.' },
      { name: 'stop', type: 'string', required: true, description: 'End, local time, written YYYY-MM-DD HH:MM:SS.' },
      TIMEZONE,
      { name: 'call_id', type: 'integer' },
      { name: 'partner_id', type: 'integer' },
    ],
  },
  {
    name: 'calendar_get_current_date',
    path: '/connect_voiceai/get_current_date',
    timeoutSecs: 5,
    description: 'Tells the current date and time. Use it before you work out what "tomorrow" or "next week" means.',
    params: [],
  },
  {
    name: 'calendar_get_meetings',
    path: '/connect_voiceai/get_meetings',
    timeoutSecs: 10,
    description: "Lists the caller's meetings. Use it when the caller asks about or wants to change a meeting.",
    params: [{ name: 'partner_id', type: 'integer', required: true }],
  },
  {
    name: 'calendar_remove_meeting',
    path: '/connect_voiceai/remove_meeting',
    timeoutSecs: 10,
    description: 'Cancels a meeting. Use it only after the caller confirmed which meeting is to be cancelled.',
    params: [
      {
        name: 'event_id',
        type: 'integer',
        required: true,
        description: 'Id of the meeting, from the list of meetings.',
      },
      { name: 'call_id', type: 'integer' },
    ],
  },
  {
    name: 'helpdesk_create_ticket',
    path: '/connect_voiceai_helpdesk/create_ticket',
    timeoutSecs: 20,
    description:
      'Creates a support ticket for the caller. Search first, confirm the details, then tell the ticket number.',
    params: [
      { name: 'subject', type: 'string', required: true, description: 'The problem in one short sentence.' },
      { name: 'description', type: 'string', description: 'Everything the caller said about it.' },
      { name: 'team_name', type: 'string', description: 'Name of the team that should take care of it.' },
      { name: 'partner_id', type: 'integer' },
      CALL_ID,
    ],
  },
  {
    name: 'helpdesk_search_tickets',
    path: '/connect_voiceai_helpdesk/search_tickets',
    timeoutSecs: 20,
    description: "Lists the caller's tickets, newest first. Use it before you create one and when asked for a status.",
    params: [
      { name: 'partner_id', type: 'integer', required: true },
      { name: 'only_open', type: 'boolean', description: 'True to leave out tickets that are closed.' },
    ],
  },
  {
    name: 'helpdesk_fetch_ticket',
    path: '/connect_voiceai_helpdesk/fetch_ticket',
    timeoutSecs: 20,
    description: 'Gives all details of one ticket.',
    params: [TICKET_ID],
  },
  {
    name: 'helpdesk_update_ticket',
    path: '/connect_voiceai_helpdesk/update_ticket',
    timeoutSecs: 20,
    description: 'Changes a ticket. Confirm the change with the caller first and pass only what changes.',
    params: [
      TICKET_ID,
      { name: 'subject', type: 'string', description: 'New subject.' },
      { name: 'description', type: 'string', description: 'New description.' },
      { name: 'priority', type: 'string', description: 'One of 0 (Low), 1 (Medium), 2 (High), 3 (Urgent).' },
      {
        name: 'stage_name',
        type: 'string',
        description: 'Name of the stage: Inbox, In Progress, On Hold, Resolved or Closed.',
      },
    ],
  },
  {
    name: 'helpdesk_ticket_activity',
    path: '/connect_voiceai_helpdesk/ticket_activity',
    timeoutSecs: 20,
    description: 'Adds a note to a ticket, for example what was said in this call.',
    params: [TICKET_ID, { name: 'note', type: 'string', required: true, description: 'The text of the note.' }],
  },
]

/** Tools that the voice-agent platform itself carries out. */
export const SYSTEM_TOOLS: readonly { name: string; description: string; disableInterruptions?: boolean }[] = [
  {
    name: 'language_detection',
    description:
      'Switches to the language the caller speaks. Use it when the caller speaks or asks for another supported ' +
      'language. Do not switch for a single foreign word or name.',
  },
  {
    name: 'end_call',
    disableInterruptions: true,
    description:
      'Ends the call. Use it after the caller said goodbye or confirmed that nothing else is needed. ' +
      'Do not use it while a question is open.',
  },
  {
    name: 'skip_turn',
    description:
      'Stays silent until the caller speaks. Use it when the caller asks for a moment. Do not use it to avoid an answer.',
  },
  {
    name: 'play_keypad_touch_tone',
    description:
      'Plays keypad tones. Use it when an automatic menu asks for a key. Do not use it with a person on the line.',
  },
  {
    name: 'voicemail_detection',
    description:
      'Reports that an answering machine picked up. Use it when you hear a recorded greeting or a beep. Do not use it with a person.',
  },
  {
    name: 'transfer_to_agent',
    disableInterruptions: true,
    description:
      'Hands the conversation to another voice agent. Use it when its rule fits what the caller needs. ' +
      'Do not use it to reach a person.',
  },
]
