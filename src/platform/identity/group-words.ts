import { computed } from '../model/fields.ts'

/** What each group of people lets its members do, in words; by external id. */
export const GROUP_WORDS: Readonly<Record<string, string>> = {
  'connect.group_user': 'works with calls: sees their own, phones, writes messages, reads and writes contacts',
  'connect.group_admin':
    'administers Connect: sees every call, sets up numbers, call flows and voice agents, reads the deliveries',
  'base.group_erp_manager': 'manages people: invites them, puts them in groups, and is the only one who writes secrets',
  'connect.group_agent_calls': 'reads and hears the calls that only a voice agent answered',
  'helpdesk.group_user': 'works on tickets, and reads and hears their calls',
  'helpdesk.group_manager':
    'works on tickets, reads and hears their calls, deletes tickets, and changes stages and teams',
  'base.group_user': 'everybody who works here; nobody has to be put in it',
  'base.group_public': 'people outside the company, who see next to nothing',
  'connect.group_webhook': 'the service itself while it answers the providers; no person is in it',
}

/** The words as a field of groups. */
export const groupWords = {
  comment: computed('Description', 'char', {
    depends: ['external_id'],
    compute: (_env, rows) => rows.map(({ external_id: name }) => GROUP_WORDS[String(name)] ?? null),
  }),
}
