import {
  type AnyRouter,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { fetched } from './data/code.ts'
import { isInOne, type Me } from './data/session.ts'
import { linkRoutes, ROUTING } from './entrance.tsx'
import { PAGES, wordsOf } from './pages.ts'
import { Frame } from './shell/frame.tsx'
import { homeOf } from './shell/nav.ts'
import { NoSuchPage } from './shell/no-such-page.tsx'
import { NotAllowed } from './shell/not-allowed.tsx'
import { NotFound } from './shell/not-found.tsx'

/** The pages as somebody who is signed in sees them. */
export function createPages(me: Me): AnyRouter {
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
  const toHome = () => {
    throw redirect({ to: homeOf(me) })
  }
  const starts = ['/', '/sign-in', '/sign-in/second'].map((path) =>
    createRoute({ getParentRoute: () => root, path, beforeLoad: toHome }),
  )
  const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })
  const pages = PAGES.map(({ path, room, groups, search, load }) =>
    createRoute({
      getParentRoute: () => frame,
      path,
      ...(search === undefined ? {} : { validateSearch: search }),
      beforeLoad: () => fetched(() => wordsOf(room)),
      component: isInOne(me, groups)
        ? lazyRouteComponent(async () => ({ default: await fetched(load) }))
        : () => <NotAllowed groups={groups} room={room} />,
    }),
  )
  // Anyone who has the rail keeps it where an address leads nowhere.
  const nowhere = createRoute({ getParentRoute: () => frame, path: '$', component: NoSuchPage })
  return createRouter({
    ...ROUTING,
    routeTree: root.addChildren([...starts, ...linkRoutes(root), frame.addChildren([...pages, nowhere])]),
  })
}
