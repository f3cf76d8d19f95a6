export const OPENAPI_INTRODUCTION = `One call is \`POST /json/2/<model>/<method>\` with a JSON object of named arguments,
as Odoo 19's External JSON-2 API has it. One call is one transaction.

- \`ids\` names the records a method is about, \`context\` carries hints such as \`tz\`.
- Domains are lists of \`[field, operator, value]\` with \`&\`, \`|\`, \`!\` in prefix form.
- A link reads as \`[id, "name"]\` and is written as an id; many links read as ids and are written as ids or commands.
- Date-times are \`YYYY-MM-DD HH:MM:SS\` in UTC. An empty value is \`null\`.
- Protected values read as \`****\` unless you are a manager.`

const TOKEN = { name: 'x-voiceai-agent-token', in: 'header', required: true, schema: { type: 'string' } }
const SIGNATURE = { name: 'Voiceai-Signature', in: 'header', required: true, schema: { type: 'string' } }

/** The webhooks, which the providers call; they take no API key. */
export const WEBHOOK_PATHS: Record<string, object> = Object.fromEntries([
  ...[
    ['/connect_voiceai/conversation_initiation', 'Dynamic variables for a conversation that opens'],
    ['/connect_voiceai/transfer', 'Transfer the live call to a published extension'],
    ['/connect_voiceai/create_partner', 'Create a contact for the caller'],
    ['/connect_voiceai/get_available_slots', 'Free slots of a day'],
    ['/connect_voiceai/create_event', 'Book a meeting'],
    ['/connect_voiceai/get_current_date', 'Current date and time'],
    ['/connect_voiceai/get_meetings', 'Meetings of a contact'],
    ['/connect_voiceai/remove_meeting', 'Cancel a meeting'],
    ['/connect_voiceai_helpdesk/create_ticket', 'Create a ticket'],
    ['/connect_voiceai_helpdesk/search_tickets', 'Tickets of a contact'],
    ['/connect_voiceai_helpdesk/fetch_ticket', 'One ticket'],
    ['/connect_voiceai_helpdesk/update_ticket', 'Change a ticket'],
    ['/connect_voiceai_helpdesk/ticket_activity', 'Post a note on a ticket'],
  ].map(([path, summary]) => webhook(String(path), String(summary), TOKEN)),
  webhook('/connect_voiceai/post_call', 'What a conversation was, after it ended', SIGNATURE),
])

function webhook(path: string, summary: string, parameter: object): [string, object] {
  const operation = {
    tags: ['webhooks'],
    summary,
    security: [],
    parameters: [parameter],
    requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    responses: { 200: { description: 'Answered' }, 401: { description: 'Unauthorized' } },
  }
  return [path, { post: operation }]
}
