import './design/styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { startDrafts } from './data/drafts.ts'
import { ApiError, wordRefusals } from './data/errors.ts'
import { startLive } from './data/live.ts'
import { createQueries } from './data/queries.ts'
import { fetchMe, type Me, MeProvider } from './data/session.ts'
import { styleNonce } from './data/start.ts'
import { followDensity } from './design/density.ts'
import { switchKeys } from './design/keys.ts'
import { Toasts } from './design/notices.tsx'
import { cssVariables, theme } from './design/theme.ts'
import { fetchPagesAhead } from './pages.ts'
import { createPages } from './routes.tsx'
import { Broken } from './shell/error-page.tsx'
import { groupNumbers } from './words/group-numbers.ts'
import { loadServerWords, refusalOf } from './words/server-words.ts'
import { chooseZone, followLanguage, startWords } from './words/words.ts'

async function start(): Promise<void> {
  // Below the components it is the scroll lock that writes a style of its own.
  setNonce(styleNonce())
  const root = document.getElementById('root')
  if (root === null) throw new Error('the start document has no root')
  const me = await fetchMe().catch((error: unknown) => error as Error)
  if (me !== undefined && !(me instanceof Error)) followPreferences(me)
  if (me !== undefined && !(me instanceof Error)) startDrafts(me.id)
  await startWords()
  await loadServerWords()
  wordRefusals(refusalOf)
  // What the service refused is a sentence on the page; anything else is an error of ours.
  const onCaughtError = (error: unknown) => {
    if (!(error instanceof ApiError)) reportError(error)
  }
  createRoot(root, { onCaughtError }).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <Toasts />
      {me instanceof Error ? <Broken error={me} /> : <Pages me={me} />}
    </MantineProvider>,
  )
  groupNumbers()
}

/** What somebody has chosen for themselves comes along into every browser. */
function followPreferences({ tz, lang, preferences, installation }: Me): void {
  chooseZone(tz ?? installation.tz)
  followLanguage(lang)
  followDensity(preferences.density)
  if (typeof preferences.keys === 'boolean') switchKeys(preferences.keys)
}

function Pages({ me }: { me: Me | undefined }) {
  const [queries] = useState(createQueries)
  const [router] = useState(() => createPages(me))
  useEffect(() => {
    if (me === undefined) return
    startLive(queries, me.id)
    // Until they have a second factor that is asked for, nothing else is answered.
    if (me.session?.second_factor !== 'wanted') void fetchPagesAhead(me)
  }, [me, queries])
  return (
    <QueryClientProvider client={queries}>
      <MeProvider value={me}>
        <RouterProvider router={router} />
      </MeProvider>
    </QueryClientProvider>
  )
}

void start()
