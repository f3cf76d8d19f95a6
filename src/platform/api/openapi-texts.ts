/** What the tags say of routes that are not made from models. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'sign-in': 'Sessions and passwords',
  live: 'What changes, while a page is open',
  health: 'For those who watch the service',
  audio: 'Audio of calls, for people who are signed in',
  webhooks: 'What the phone provider, the voice-agent platform and its agents call',
}

export const OPENAPI_INTRODUCTION = `One call is \`POST /json/2/<model>/<method>\` with a JSON object of named arguments,
as Odoo 19's External JSON-2 API has it. One call is one transaction.

- \`ids\` names the records a method is about, \`context\` carries hints such as \`tz\`.
- Domains are lists of \`[field, operator, value]\` with \`&\`, \`|\`, \`!\` in prefix form.
- A link reads as \`[id, "name"]\` and is written as an id, or as a code or name that only one record has; many links read as ids and are written as ids or commands.
- Date-times are \`YYYY-MM-DD HH:MM:SS\` in UTC. An empty value is \`null\`.
- Protected values read as \`****\` unless you are a manager.`
