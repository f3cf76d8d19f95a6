import {
  type AnyRoute,
  type AnyRouter,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { fetched } from './data/code.ts'
import type { Me } from './data/session.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Skeletons } from './shell/skeletons.tsx'
import { openLink } from './sign-in/link-token.ts'
import { SecondPage } from './sign-in/second-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { loadWords } from './words/words.ts'

/** What every router of the page does alike. */
export const ROUTING = {
  defaultPreload: 'intent',
  defaultPendingMs: 120,
  defaultPendingComponent: Skeletons,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
} as const

/** The ways in by a link that somebody was given. */
export function linkRoutes(root: AnyRoute): AnyRoute[] {
  return [
    createRoute({
      getParentRoute: () => root,
      path: '/setup',
      beforeLoad: ({ search }) => openLink('/setup', (search as { token?: unknown }).token),
      component: lazyRouteComponent(() => fetched(() => import('./sign-in/setup-page.tsx')), 'SetupPage'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/invitation/{-$token}',
      beforeLoad: ({ params }) => openLink('/invitation', (params as { token?: unknown }).token),
      component: lazyRouteComponent(() => fetched(() => import('./sign-in/invitation-page.tsx')), 'InvitationPage'),
    }),
  ]
}

/**
 * The pages for somebody who is not signed in, or who has yet to set up a second factor and is answered nothing else: whatever
 * they wanted to see, they sign in first and come back to it.
 */
export function createEntrance(me: Me | undefined): AnyRouter {
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
  const isWanted = me !== undefined
  const signIn = createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    beforeLoad: async () => {
      if (isWanted) throw redirect({ to: '/sign-in/second' })
      await fetched(() => loadWords('sign-in'))
    },
    component: SignInPage,
  })
  const second = createRoute({
    getParentRoute: () => root,
    path: '/sign-in/second',
    beforeLoad: () => fetched(() => loadWords('sign-in')),
    component: isWanted
      ? lazyRouteComponent(() => fetched(() => import('./sign-in/second-wanted-page.tsx')), 'SecondWantedPage')
      : SecondPage,
  })
  const start = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/sign-in' })
    },
  })
  const others = createRoute({
    getParentRoute: () => root,
    path: '$',
    beforeLoad: ({ location }) => {
      throw redirect({ to: '/sign-in', search: { next: location.href } })
    },
  })
  return createRouter({ ...ROUTING, routeTree: root.addChildren([signIn, second, start, others, ...linkRoutes(root)]) })
}
