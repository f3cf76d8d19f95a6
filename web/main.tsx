import './design/styles.css'
import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { fetchAhead, fetched } from './data/code.ts'
import { ApiError, isPassing, wordRefusals, wordUnreachable } from './data/errors.ts'
import { fetchMe, type Me } from './data/session.ts'
import { isVisitorKnown, styleNonce } from './data/start.ts'
import { cssVariables, themeWith } from './design/theme.ts'
import { createEntrance } from './entrance.tsx'
import { Broken } from './shell/error-page.tsx'
import { loadRefusals, refusalOf } from './words/server-words.ts'
import { chooseZone, clearWords, followLanguage, startWords, unreachableWords } from './words/words.ts'

const inside = () => fetched(() => import('./inside.tsx'))

async function start(): Promise<void> {
  // Below the components it is the scroll lock that writes a style of its own.
  setNonce(styleNonce())
  const root = document.getElementById('root')
  if (root === null) throw new Error('the start document has no root')
  // Who was signed in mostly still is: their part comes while the service is asked.
  if (isVisitorKnown()) void inside().catch(() => undefined)
  const asked = await askMe()
  await fetched(startWords)
  wordRefusals(refusalOf, loadRefusals)
  wordUnreachable(unreachableWords())
  // The words to say what is wrong were not there when the service was asked.
  const me = isPassing(asked) ? await askMe() : asked
  // What the service refused is a sentence on the page; anything else is an error of ours.
  const onCaughtError = (error: unknown) => {
    if (!(error instanceof ApiError)) reportError(error)
  }
  const page = await pageOf(me)
  // The skeleton of the start document stands until now.
  createRoot(root, { onCaughtError }).render(
    <MantineProvider
      theme={themeWith({ clear: clearWords() })}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      {page}
    </MantineProvider>,
  )
  void fetchAhead([loadRefusals])
}

async function askMe(): Promise<Me | undefined | Error> {
  const me = await fetchMe().catch((error: unknown) => error as Error)
  if (me === undefined || me instanceof Error) return me
  chooseZone(me.tz ?? me.installation.tz)
  followLanguage(me.lang)
  return me
}

async function pageOf(me: Me | undefined | Error): Promise<ReactNode> {
  if (me instanceof Error) return <Broken error={me} />
  if (me !== undefined && me.session?.second_factor !== 'wanted') {
    const opened = await inside().catch((error: unknown) => error as Error)
    return opened instanceof Error ? <Broken error={opened} /> : opened.openInside(me)
  }
  const router = createEntrance(me)
  await router.load()
  return <RouterProvider router={router} />
}

void start()
