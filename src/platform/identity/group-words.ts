import { computed } from '../model/fields.ts'

/** What each group of people lets its members do, in words; by external id. */
export const GROUP_WORDS: Readonly<Record<string, string>> = {
  'connect.group_user': 'Makes calls, sends messages, sees own calls, edits contacts',
  'connect.group_admin': 'Sees every call; sets up numbers, call flows and voice agents; reads webhooks',
  'base.group_erp_manager': 'Invites people, sets their permissions, edits secrets',
  'connect.group_agent_calls': 'Reads and hears calls that only a voice agent answered',
  'helpdesk.group_user': 'Handles tickets, reads and hears their calls',
  'helpdesk.group_manager': 'Handles and deletes tickets, reads and hears their calls, changes stages and teams',
  'base.group_user': 'Everyone who works here; no one has to be added',
  'base.group_public': 'People outside the company, who see almost nothing',
  'connect.group_webhook': 'Connect itself while it answers Twilio and ElevenLabs; no person is in it',
}

/** The words as a field of groups. */
export const groupWords = {
  comment: computed('Description', 'char', {
    depends: ['external_id'],
    compute: (_env, rows) => rows.map(({ external_id: name }) => GROUP_WORDS[String(name)] ?? null),
  }),
}
