import { type RefObject, useEffect, useRef } from 'react'

/**
 * Where a button gives way to a form, and the form to the button again, the keyboard goes along, to what is marked with
 * `data-along`: with what was pressed it would be nowhere. What is there from the beginning takes it from nobody.
 */
export function useFocusAlong<Place extends HTMLElement>(shown: unknown): RefObject<Place | null> {
  const place = useRef<Place>(null)
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    if (document.activeElement === document.body) place.current?.querySelector<HTMLElement>('[data-along]')?.focus()
  }, [shown])
  return place
}
