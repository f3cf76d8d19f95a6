import { useQuery } from '@tanstack/react-query'
import { send } from '../data/client.ts'
import { asks, keyOf, SERVICE } from '../data/keys.ts'
import type { Group } from '../data/session.ts'
import { useMe } from '../data/session.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { plain } from '../words/formats.ts'
import type { Keys, Room } from '../words/keys.ts'
import { reader, useWords } from '../words/words.ts'

const NAMES: Readonly<Record<Group, Keys['shell']>> = {
  'connect.group_user': 'groupUser',
  'connect.group_admin': 'groupAdmin',
  'base.group_erp_manager': 'groupManager',
  'helpdesk.group_user': 'groupHelpdesk',
  'helpdesk.group_manager': 'groupHelpdeskManager',
  'connect.group_agent_calls': 'groupAgentCalls',
}
/** What somebody is who belongs to one. */
const MEMBERS: Readonly<Record<Group, Keys['shell']>> = {
  'connect.group_user': 'oneUser',
  'connect.group_admin': 'oneAdmin',
  'base.group_erp_manager': 'oneManager',
  'helpdesk.group_user': 'oneHelpdesk',
  'helpdesk.group_manager': 'oneHelpdeskManager',
  'connect.group_agent_calls': 'oneAgentCalls',
}
const PAGES: Readonly<Partial<Record<Room, Keys['shell']>>> = {
  calls: 'callsAreFor',
  tickets: 'ticketsAreFor',
  messages: 'messagesAreFor',
  contacts: 'contactsAreFor',
  deliveries: 'deliveriesAreFor',
  settings: 'settingsAreFor',
}

/** Says for whom a page is, what the reader is, and who can change that. */
export function NotAllowed({ groups, room }: { groups: readonly Group[]; room: Room }) {
  const say = useWords('shell')
  const { groups: own } = useMe()
  const { data: helpers } = useQuery(
    asks({
      queryKey: keyOf(SERVICE, 'helpers'),
      queryFn: async () => ((await send('/api/who-can-help')) as { names: string[] }).names.map(plain),
    }),
  )
  const listed = (items: readonly string[], type: 'conjunction' | 'disjunction') =>
    new Intl.ListFormat(reader().language, { type }).format(items)
  const named = (these: readonly Group[], names = NAMES) => these.map((group) => say(names[group]))
  const mine = Object.keys(NAMES).filter((group) => own.includes(group)) as Group[]
  const membership =
    mine.length === 0 ? say('inNoGroup') : say('youAreIn', { groups: listed(named(mine, MEMBERS), 'conjunction') })
  const help =
    helpers === undefined || helpers.length === 0
      ? say('somebodyCanHelp')
      : say('canHelp', { count: helpers.length, names: listed(helpers, 'conjunction') })
  return (
    <EmptyState
      isPage
      title={say(PAGES[room] ?? 'notAllowed', { groups: listed(named(groups), 'disjunction') })}
      detail={`${membership} ${help}`}
    />
  )
}
