export const OPENAPI_INTRODUCTION = `One call is \`POST /json/2/<model>/<method>\` with a JSON object of named arguments,
as Odoo 19's External JSON-2 API has it. One call is one transaction.

- \`ids\` names the records a method is about, \`context\` carries hints such as \`tz\`.
- Domains are lists of \`[field, operator, value]\` with \`&\`, \`|\`, \`!\` in prefix form.
- A link reads as \`[id, "name"]\` and is written as an id; many links read as ids and are written as ids or commands.
- Date-times are \`YYYY-MM-DD HH:MM:SS\` in UTC. An empty value is \`null\`.
- Protected values read as \`****\` unless you are a manager.`

/** How a provider proves that it is the provider. */
interface Proof {
  header: string
  contentType: string
  /** The answer to somebody else; telephony answers in its own words, with 200. */
  refusal?: Record<number, { description: string }>
}

const TOKEN: Proof = {
  header: 'x-voiceai-agent-token',
  contentType: 'application/json',
  refusal: { 401: { description: 'Unauthorized' } },
}
const SIGNATURE: Proof = { ...TOKEN, header: 'Voiceai-Signature' }
const TELCO: Proof = { header: 'X-Telco-Signature', contentType: 'application/x-www-form-urlencoded' }

const WEBHOOKS: readonly [path: string, summary: string, proof: Proof][] = [
  ['/connect_voiceai/conversation_initiation', 'Dynamic variables for a conversation that opens', TOKEN],
  ['/connect_voiceai/post_call', 'What a conversation was, after it ended', SIGNATURE],
  ['/connect_voiceai/transfer', 'Transfer the live call to a published extension', TOKEN],
  ['/connect_voiceai/create_partner', 'Create a contact for the caller', TOKEN],
  ['/connect_voiceai/get_available_slots', 'Free slots of a day', TOKEN],
  ['/connect_voiceai/create_event', 'Book a meeting', TOKEN],
  ['/connect_voiceai/get_current_date', 'Current date and time', TOKEN],
  ['/connect_voiceai/get_meetings', 'Meetings of a contact', TOKEN],
  ['/connect_voiceai/remove_meeting', 'Cancel a meeting', TOKEN],
  ['/telco/webhook/callstatus', 'What became of a leg of a call', TELCO],
  ['/telco/webhook/callaction', 'What follows a dial', TELCO],
  ['/telco/webhook/{model_name}/call_action/{record_id}', 'What follows a dial of a phone user or a call flow', TELCO],
  ['/telco/webhook/number', 'A call to one of our numbers', TELCO],
  ['/telco/webhook/markup/{markup_id}', 'A markup application', TELCO],
  ['/telco/webhook/callflow/{flow_id}/gather', 'Digits or speech that a call flow asked for', TELCO],
  ['/telco/webhook/domain', 'A call that a SIP phone or web phone makes', TELCO],
  ['/telco/webhook/recordingstatus', 'A recording of a call', TELCO],
  ['/telco/webhook/vm_recordingstatus', 'A voicemail', TELCO],
  ['/telco/webhook/message', 'A text message that came in', TELCO],
  ['/telco/webhook/message_status', 'What became of a text message', TELCO],
  ['/telco/webhook/outgoing_callerid', 'Whether a caller id was validated', TELCO],
  ['/connect_voiceai_helpdesk/create_ticket', 'Create a ticket', TOKEN],
  ['/connect_voiceai_helpdesk/search_tickets', 'Tickets of a contact', TOKEN],
  ['/connect_voiceai_helpdesk/fetch_ticket', 'One ticket', TOKEN],
  ['/connect_voiceai_helpdesk/update_ticket', 'Change a ticket', TOKEN],
  ['/connect_voiceai_helpdesk/ticket_activity', 'Post a note on a ticket', TOKEN],
]

/** The webhooks, which the providers call; they take no API key. */
export const WEBHOOK_PATHS: Readonly<Record<string, object>> = Object.fromEntries(
  WEBHOOKS.map(([path, summary, proof]) => [path, { post: webhook(path, summary, proof) }]),
)

function webhook(path: string, summary: string, { header, contentType, refusal }: Proof): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path' }))
  const parameters = [...inPath, { name: header, in: 'header' }]
  return {
    tags: ['webhooks'],
    summary,
    security: [],
    parameters: parameters.map((each) => ({ ...each, required: true, schema: { type: 'string' } })),
    requestBody: { content: { [contentType]: { schema: { type: 'object' } } } },
    responses: { 200: { description: 'Answered' }, ...refusal },
  }
}
