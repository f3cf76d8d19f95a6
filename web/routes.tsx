import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { readCallSearch, readCallsSearch } from './calls/calls-search.ts'
import { readContactSearch, readContactsSearch } from './contacts/contacts-search.ts'
import { readDuplicatesSearch } from './contacts/duplicates-search.ts'
import { GROUP, type Group, isInOne, type Me, READS_CALLS } from './data/session.ts'
import { readDeliveriesSearch } from './deliveries/deliveries-search.ts'
import { readMessagesSearch } from './messages/messages-search.ts'
import { readRecordsSearch } from './records/records-search.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { Frame } from './shell/frame.tsx'
import { homeOf } from './shell/nav.ts'
import { NotAllowed } from './shell/not-allowed.tsx'
import { NoSuchPage, NotFound } from './shell/not-found.tsx'
import { Skeletons } from './shell/skeletons.tsx'
import { openLink } from './sign-in/link-token.ts'
import { SecondPage } from './sign-in/second-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { readTicketsSearch } from './tickets/tickets-search.ts'
import type { Room } from './words/keys.ts'
import { loadWords } from './words/words.ts'

type Reader = (search: Record<string, unknown>) => Record<string, unknown>

interface Page {
  path: string
  room: Room
  /** Who sees it; whoever is signed in where nobody is named. */
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
const PAGES: readonly Page[] = [
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
  {
    path: '/contacts/$id',
    room: 'contacts',
    groups: CONTACTS,
    search: readContactSearch,
    load: async () => (await import('./contacts/contact-page.tsx')).ContactPage,
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
    load: async () => (await import('./records/list-page.tsx')).ListPage,
  },
  {
    path: '/records/$model/$id',
    room: 'records',
    groups: ANYBODY,
    load: async () => (await import('./records/record-page.tsx')).RecordPage,
  },
]

/** Words that other rooms' parts on a page need. */
const SHARED: readonly Room[] = ['lines', 'records']

async function settings(): Promise<ComponentType> {
  const [{ SettingsPage }] = await Promise.all([import('./settings/settings-page.tsx'), loadWords('story')])
  return SettingsPage
}

async function account(): Promise<ComponentType> {
  // The second factor is set up here as at the sign-in.
  await loadWords('sign-in')
  return (await import('./me/me-page.tsx')).MePage
}

async function messages(): Promise<ComponentType> {
  return (await import('./messages/messages-page.tsx')).MessagesPage
}

/** The pages as somebody sees them; whoever is not signed in is asked to, and comes back to where they wanted to go. */
export function createPages(me: Me | undefined) {
  // Until they have one, nothing else is answered.
  const isWanted = me?.session?.second_factor === 'wanted'
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
  const signIn = createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    beforeLoad: async () => {
      if (me !== undefined) throw redirect({ to: homeOf(me) })
      await loadWords('sign-in')
    },
    component: SignInPage,
  })
  const second = createRoute({
    getParentRoute: () => root,
    path: '/sign-in/second',
    beforeLoad: async () => {
      if (me !== undefined && !isWanted) throw redirect({ to: homeOf(me) })
      await loadWords('sign-in')
    },
    component: isWanted
      ? lazyRouteComponent(() => import('./sign-in/second-wanted-page.tsx'), 'SecondWantedPage')
      : SecondPage,
  })
  const setup = createRoute({
    getParentRoute: () => root,
    path: '/setup',
    beforeLoad: ({ search }) => openLink('/setup', (search as { token?: unknown }).token),
    component: lazyRouteComponent(() => import('./sign-in/setup-page.tsx'), 'SetupPage'),
  })
  const invitation = createRoute({
    getParentRoute: () => root,
    path: '/invitation/{-$token}',
    beforeLoad: ({ params }) => openLink('/invitation', params.token),
    component: lazyRouteComponent(() => import('./sign-in/invitation-page.tsx'), 'InvitationPage'),
  })
  const start = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: me === undefined ? '/sign-in' : homeOf(me) })
    },
  })
  const frame = createRoute({
    getParentRoute: () => root,
    id: 'frame',
    beforeLoad: ({ location }) => {
      if (me === undefined) throw redirect({ to: '/sign-in', search: { next: location.href } })
      if (isWanted) throw redirect({ to: '/sign-in/second' })
    },
    component: Frame,
  })
  const pages = PAGES.map(({ path, room, groups, search, load }) =>
    createRoute({
      getParentRoute: () => frame,
      path,
      ...(search === undefined ? {} : { validateSearch: search }),
      beforeLoad: () => Promise.all([room, ...SHARED].map(loadWords)).then(() => undefined),
      component:
        me === undefined || isInOne(me, groups)
          ? lazyRouteComponent(async () => ({ default: await load() }))
          : () => <NotAllowed groups={groups} room={room} />,
    }),
  )
  // Whoever has the rail keeps it where an address leads nowhere.
  const nowhere = createRoute({ getParentRoute: () => frame, path: '$', component: NoSuchPage })
  const framed = me === undefined || isWanted ? pages : [...pages, nowhere]
  return createRouter({
    routeTree: root.addChildren([signIn, second, setup, invitation, start, frame.addChildren(framed)]),
    defaultPreload: 'intent',
    defaultPendingMs: 120,
    defaultPendingComponent: Skeletons,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}
