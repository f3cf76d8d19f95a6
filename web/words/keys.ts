import type agents from './en/agents.json'
import type calls from './en/calls.json'
import type contacts from './en/contacts.json'
import type deliveries from './en/deliveries.json'
import type filters from './en/filters.json'
import type knowledge from './en/knowledge.json'
import type lines from './en/lines.json'
import type me from './en/me.json'
import type messages from './en/messages.json'
import type now from './en/now.json'
import type records from './en/records.json'
import type settings from './en/settings.json'
import type shell from './en/shell.json'
import type signIn from './en/sign-in.json'
import type story from './en/story.json'
import type tickets from './en/tickets.json'

/** Without the ending that says for which count a sentence is meant. */
type Base<Key> = Key extends `${infer Name}_one` | `${infer Name}_other` ? Name : Key
type KeysOf<Words> = Base<keyof Words & string>

/** What can be said in each room, typed from the English. */
export interface Keys {
  agents: KeysOf<typeof agents>
  calls: KeysOf<typeof calls>
  contacts: KeysOf<typeof contacts>
  deliveries: KeysOf<typeof deliveries>
  filters: KeysOf<typeof filters>
  knowledge: KeysOf<typeof knowledge>
  lines: KeysOf<typeof lines>
  me: KeysOf<typeof me>
  messages: KeysOf<typeof messages>
  now: KeysOf<typeof now>
  records: KeysOf<typeof records>
  settings: KeysOf<typeof settings>
  shell: KeysOf<typeof shell>
  'sign-in': KeysOf<typeof signIn>
  story: KeysOf<typeof story>
  tickets: KeysOf<typeof tickets>
}
export type Room = keyof Keys
