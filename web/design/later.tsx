import { type ComponentType, useEffect, useState } from 'react'
import { fetched, idle } from '../data/code.ts'

interface Part<Props> {
  Later: ComponentType<Props>
  /** Fetches its code now. */
  fetch: () => void
}

/**
 * A part that nobody sees when the page is opened: its code comes once the browser has nothing else to do, or as soon as it is
 * wanted.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: (props: Props) => boolean = () => false,
): Part<Props> {
  const { promise: arrived, resolve } = Promise.withResolvers<ComponentType<Props>>()
  let isAsked = false
  const fetch = (): void => {
    if (isAsked) return
    isAsked = true
    fetched(load).then(resolve, () => {
      // The next time it is wanted, it is asked for once more.
      isAsked = false
    })
  }
  function Later(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props>>()
    const wanted = isWanted(props)
    useEffect(() => {
      void arrived.then((component) => setLoaded(() => component))
      void idle().then(fetch)
    }, [])
    useEffect(() => {
      if (wanted) fetch()
    }, [wanted])
    return Loaded === undefined ? null : <Loaded {...props} />
  }
  return { Later, fetch }
}
