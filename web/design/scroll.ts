import { useRouter } from '@tanstack/react-router'
import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Scrolls to where something belongs when `when` changes. The router puts what scrolled on the page before back to where it was
 * there, after a new page has been drawn: so it is scrolled once more then.
 */
export function useScroll(scroll: () => void, when: readonly unknown[]): void {
  const router = useRouter()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what to scroll is new with each drawing, when is told
  useLayoutEffect(() => {
    scroll()
    const forget = router.subscribe('onRendered', () => {
      forget()
      scroll()
    })
    return forget
  }, [router, ...when])
}

/** Of links in a row the one that is current can be beyond its end: it is brought into sight when `when` changes. */
export function useCurrentInSight<Element extends HTMLElement>(when: readonly unknown[]): RefObject<Element | null> {
  const row = useRef<Element>(null)
  useScroll(() => {
    // It gives a promise in newer browsers.
    void row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, when)
  return row
}
