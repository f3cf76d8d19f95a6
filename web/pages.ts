import type { ComponentType } from 'react'
import { readCallSearch, readCallsSearch } from './calls/calls-search.ts'
import { readContactSearch, readContactsSearch } from './contacts/contacts-search.ts'
import { readDuplicatesSearch } from './contacts/duplicates-search.ts'
import { fetchAhead } from './data/code.ts'
import { GROUP, type Group, isInOne, type Me, READS_CALLS } from './data/session.ts'
import { readDeliveriesSearch } from './deliveries/deliveries-search.ts'
import { readMessagesSearch } from './messages/messages-search.ts'
import { readRecordsSearch } from './records/records-search.ts'
import { readTicketsSearch } from './tickets/tickets-search.ts'
import type { Room } from './words/keys.ts'
import { loadServerWords } from './words/server-words.ts'
import { loadWords } from './words/words.ts'

type Reader = (search: Record<string, unknown>) => Record<string, unknown>

interface Page {
  path: string
  room: Room
  /** Who sees it; anyone who is signed in where nobody is named. */
  groups: readonly Group[]
  search?: Reader
  load: () => Promise<ComponentType>
}

const CALLS = [GROUP.connectUser, GROUP.connectAdmin]
const TICKETS = [GROUP.helpdeskUser, GROUP.helpdeskManager]
const CONTACTS = [...CALLS, ...TICKETS]
const ADMINS = [GROUP.connectAdmin]
const SETTINGS = [GROUP.connectAdmin, GROUP.manager]
const ANYBODY: Group[] = []

/** Every page behind the sign-in. */
export const PAGES: readonly Page[] = [
  { path: '/now', room: 'now', groups: CALLS, load: async () => (await import('./now/now-page.tsx')).NowPage },
  {
    path: '/calls',
    room: 'calls',
    groups: READS_CALLS,
    search: readCallsSearch,
    load: async () => (await import('./calls/calls-page.tsx')).CallsPage,
  },
  {
    path: '/calls/$id',
    room: 'calls',
    groups: READS_CALLS,
    search: readCallSearch,
    load: async () => {
      await Promise.all([loadWords('story'), loadWords('deliveries')])
      return (await import('./calls/call-page.tsx')).CallPage
    },
  },
  {
    path: '/tickets',
    room: 'tickets',
    groups: TICKETS,
    search: readTicketsSearch,
    load: async () => (await import('./tickets/tickets-page.tsx')).TicketsPage,
  },
  {
    path: '/tickets/$id',
    room: 'tickets',
    groups: TICKETS,
    load: async () => (await import('./tickets/ticket-page.tsx')).TicketPage,
  },
  { path: '/messages', room: 'messages', groups: CALLS, search: readMessagesSearch, load: messages },
  {
    path: '/messages/$channel/$ours/$theirs',
    room: 'messages',
    groups: CALLS,
    search: readMessagesSearch,
    load: messages,
  },
  {
    path: '/contacts',
    room: 'contacts',
    groups: CONTACTS,
    search: readContactsSearch,
    load: async () => (await import('./contacts/contacts-page.tsx')).ContactsPage,
  },
  {
    path: '/contacts/duplicates',
    room: 'contacts',
    groups: CONTACTS,
    search: readDuplicatesSearch,
    load: async () => (await import('./contacts/duplicates-page.tsx')).DuplicatesPage,
  },
  { path: '/contacts/new', room: 'contacts', groups: CONTACTS, load: editContact },
  { path: '/contacts/$id/edit', room: 'contacts', groups: CONTACTS, load: editContact },
  {
    path: '/contacts/$id',
    room: 'contacts',
    groups: CONTACTS,
    search: readContactSearch,
    load: async () => (await import('./contacts/contact-page.tsx')).ContactPage,
  },
  {
    path: '/agents',
    room: 'agents',
    groups: CALLS,
    load: async () => (await import('./agents/agents-page.tsx')).AgentsPage,
  },
  {
    path: '/agents/$id',
    room: 'agents',
    groups: CALLS,
    load: async () => {
      await Promise.all([loadWords('story'), loadWords('knowledge')])
      return (await import('./agents/agent-page.tsx')).AgentPage
    },
  },
  {
    path: '/deliveries',
    room: 'deliveries',
    groups: ADMINS,
    search: readDeliveriesSearch,
    load: async () => (await import('./deliveries/deliveries-page.tsx')).DeliveriesPage,
  },
  {
    path: '/deliveries/inbox',
    room: 'deliveries',
    groups: ADMINS,
    load: async () => (await import('./deliveries/inbox-page.tsx')).InboxPage,
  },
  {
    path: '/deliveries/jobs',
    room: 'deliveries',
    groups: ADMINS,
    load: async () => (await import('./deliveries/jobs-page.tsx')).JobsPage,
  },
  { path: '/settings', room: 'settings', groups: SETTINGS, load: settings },
  { path: '/settings/$part', room: 'settings', groups: SETTINGS, load: settings },
  { path: '/me', room: 'me', groups: ANYBODY, load: account },
  {
    path: '/records',
    room: 'records',
    groups: ANYBODY,
    load: async () => (await import('./records/models-page.tsx')).ModelsPage,
  },
  {
    path: '/records/$model',
    room: 'records',
    groups: ANYBODY,
    search: readRecordsSearch,
    load: async () => (await withFilterWords(import('./records/list-page.tsx'))).ListPage,
  },
  {
    path: '/records/$model/$id',
    room: 'records',
    groups: ANYBODY,
    load: async () => (await withFilterWords(import('./records/record-page.tsx'))).RecordPage,
  },
]

/** Words that other rooms' parts on a page need. */
const SHARED: readonly Room[] = ['lines', 'records']

/** Rooms that show notes, which say why a message failed. */
const WITH_NOTES: readonly Room[] = ['calls', 'contacts', 'records', 'tickets']

/** Rooms that show nothing which the service has labelled. */
const WITHOUT_SERVER_WORDS: readonly Room[] = ['now']

/** Saved views say what they are filtered by as their lists do. */
async function withFilterWords<Code>(code: Promise<Code>): Promise<Code> {
  await Promise.all((['calls', 'contacts', 'filters', 'tickets'] as const).map(loadWords))
  return code
}

async function settings(): Promise<ComponentType> {
  const [{ SettingsPage }] = await Promise.all([
    withFilterWords(import('./settings/settings-page.tsx')),
    loadWords('story'),
  ])
  return SettingsPage
}

async function account(): Promise<ComponentType> {
  // The second factor is set up here as at the sign-in.
  await loadWords('sign-in')
  return (await import('./me/me-page.tsx')).MePage
}

async function editContact(): Promise<ComponentType> {
  return (await import('./contacts/edit-contact-page.tsx')).EditContactPage
}

async function messages(): Promise<ComponentType> {
  return (await import('./messages/messages-page.tsx')).MessagesPage
}

/** Loads what the pages of a room say. */
export async function wordsOf(room: Room): Promise<void> {
  await Promise.all([
    ...[room, ...SHARED, ...(WITH_NOTES.includes(room) ? (['messages'] as const) : [])].map(loadWords),
    ...(WITHOUT_SERVER_WORDS.includes(room) ? [] : [loadServerWords()]),
  ])
}

/** Fetches the code and the words of every page that somebody may open, so that a click needs neither. */
export function fetchPagesAhead(me: Me): Promise<void> {
  const own = PAGES.filter(({ groups }) => isInOne(me, groups))
  return fetchAhead(own.flatMap(({ room, load }) => [() => wordsOf(room), load]))
}
