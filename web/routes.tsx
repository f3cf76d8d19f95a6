import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { fetched } from './data/code.ts'
import { isInOne, type Me } from './data/session.ts'
import { PAGES, wordsOf } from './pages.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { Frame } from './shell/frame.tsx'
import { homeOf } from './shell/nav.ts'
import { NotAllowed } from './shell/not-allowed.tsx'
import { NoSuchPage, NotFound } from './shell/not-found.tsx'
import { Skeletons } from './shell/skeletons.tsx'
import { openLink } from './sign-in/link-token.ts'
import { SecondPage } from './sign-in/second-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { loadWords } from './words/words.ts'

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
      await fetched(() => loadWords('sign-in'))
    },
    component: SignInPage,
  })
  const second = createRoute({
    getParentRoute: () => root,
    path: '/sign-in/second',
    beforeLoad: async () => {
      if (me !== undefined && !isWanted) throw redirect({ to: homeOf(me) })
      await fetched(() => loadWords('sign-in'))
    },
    component: isWanted
      ? lazyRouteComponent(() => fetched(() => import('./sign-in/second-wanted-page.tsx')), 'SecondWantedPage')
      : SecondPage,
  })
  const setup = createRoute({
    getParentRoute: () => root,
    path: '/setup',
    beforeLoad: ({ search }) => openLink('/setup', (search as { token?: unknown }).token),
    component: lazyRouteComponent(() => fetched(() => import('./sign-in/setup-page.tsx')), 'SetupPage'),
  })
  const invitation = createRoute({
    getParentRoute: () => root,
    path: '/invitation/{-$token}',
    beforeLoad: ({ params }) => openLink('/invitation', params.token),
    component: lazyRouteComponent(() => fetched(() => import('./sign-in/invitation-page.tsx')), 'InvitationPage'),
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
      beforeLoad: () => fetched(() => wordsOf(room)),
      component:
        me === undefined || isInOne(me, groups)
          ? lazyRouteComponent(async () => ({ default: await fetched(load) }))
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
