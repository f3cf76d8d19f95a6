import { useEffect, useRef, useState } from 'react'

/** Who adds a row stands in its first empty field; who removes one, at the button that adds. */
export function useFocusOfRows() {
  const ref = useRef<HTMLFieldSetElement>(null)
  const [wanted, setWanted] = useState<{ after: 'added' | 'removed' }>()
  useEffect(() => {
    if (wanted === undefined) return
    const inputs = [
      ...(ref.current?.querySelectorAll<HTMLInputElement>('tbody tr:last-child :is(input, textarea)') ?? []),
    ]
    const shown = inputs.filter(({ type }) => type !== 'hidden')
    const add = ref.current?.querySelector<HTMLElement>('[data-add]')
    if (wanted.after === 'removed') add?.focus()
    else (shown.find(({ value }) => value === '') ?? shown[0])?.focus()
  }, [wanted])
  return { ref, focus: (after: 'added' | 'removed'): void => setWanted({ after }) }
}
