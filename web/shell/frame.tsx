import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useMe } from '../data/session.ts'
import { useKeys } from '../design/keys.ts'
import { later } from '../design/later.tsx'
import { useWords } from '../words/words.ts'
import { BottomBar } from './bottom-bar.tsx'
import classes from './frame.module.css'
import { entriesFor } from './nav.ts'
import { OfflineBar } from './offline-bar.tsx'
import { Rail } from './rail.tsx'
import { openSearch, SearchBox } from './search.tsx'
import { SessionVeil } from './session-veil.tsx'

const { Later: KeysHelp } = later(
  async () => (await import('./keys-help.tsx')).KeysHelp,
  ({ isOpen }) => isOpen,
)

/** What is around every page: rail, search, keys, and what is shown when the session has ended. */
export function Frame() {
  const say = useWords('shell')
  const me = useMe()
  const navigate = useNavigate()
  const [helps, setHelps] = useState(false)
  const [isFolded, setFolded] = useState(false)
  const keymap = useMemo(
    () => ({
      '?': () => setHelps(true),
      '/': openSearch,
      '\\': () => setFolded((folded) => !folded),
      ...Object.fromEntries(entriesFor(me).map(({ key, to }) => [`g ${key}`, () => void navigate({ to })])),
    }),
    [me, navigate],
  )
  useKeys(keymap)
  useFocusOnPage()
  return (
    <div className={classes.frame} data-folded={isFolded || undefined}>
      <a href="#page" className={classes.skip}>
        {say('skipToPage')}
      </a>
      <Rail isFolded={isFolded} onKeys={() => setHelps(true)} />
      <main id="page" className={classes.page} tabIndex={-1}>
        <OfflineBar />
        <Outlet />
      </main>
      <BottomBar />
      <SearchBox />
      <KeysHelp isOpen={helps} onClose={() => setHelps(false)} />
      <SessionVeil />
    </div>
  )
}

/** After a way in the rail the page has the focus, so that its keys work at once. */
function useFocusOnPage(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const before = useRef(path)
  useEffect(() => {
    const isInRail = document.activeElement?.closest('[data-rail]') instanceof Element
    if (path !== before.current && isInRail) document.getElementById('page')?.focus({ preventScroll: true })
    before.current = path
  }, [path])
}
