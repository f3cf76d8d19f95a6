import { QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { startDrafts } from './data/drafts.ts'
import { startLive } from './data/live.ts'
import { startPerson } from './data/person.ts'
import { createQueries } from './data/queries.ts'
import { type Me, MeProvider } from './data/session.ts'
import { followDensity } from './design/density.ts'
import { switchKeys } from './design/keys.ts'
import { Toasts } from './design/notices.tsx'
import { fetchPagesAhead } from './pages.ts'
import { createPages } from './routes.tsx'
import { groupNumbers } from './words/group-numbers.ts'

/** Everything that only somebody who is signed in needs; the page that they asked for is ready when this is. */
export async function openInside(me: Me): Promise<ReactNode> {
  followDensity(me.preferences.density)
  if (typeof me.preferences.keys === 'boolean') switchKeys(me.preferences.keys)
  startPerson(me.id)
  startDrafts(me.id)
  const router = createPages(me)
  await router.load()
  await groupNumbers()
  return <Inside me={me} router={router} />
}

function Inside({ me, router }: { me: Me; router: AnyRouter }) {
  const [queries] = useState(createQueries)
  useEffect(() => {
    startLive(queries, me.id)
    void fetchPagesAhead(me)
  }, [me, queries])
  return (
    <>
      <Toasts />
      <QueryClientProvider client={queries}>
        <MeProvider value={me}>
          <RouterProvider router={router} />
        </MeProvider>
      </QueryClientProvider>
    </>
  )
}
