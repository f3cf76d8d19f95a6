import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

const TYPING_MS = 250

interface Props {
  label: string
  /** What is looked for, as the address has it. */
  text: string | undefined
  onSearch: (text: string | undefined) => void
  className?: string | undefined
}

/** Looks for what is typed once nobody types any more; the box keeps the focus meanwhile, and follows the address. */
export function SearchInput({ label, text = '', onSearch, className }: Props) {
  const [typed, setTyped] = useState(text)
  const asked = useRef(text)
  const search = useDebouncedCallback((wanted: string) => {
    asked.current = wanted
    onSearch(wanted === '' ? undefined : wanted)
  }, TYPING_MS)
  useEffect(() => {
    // Somebody went back, or took the filter away.
    if (text === asked.current.trim() || text === asked.current) return
    asked.current = text
    setTyped(text)
  }, [text])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      className={className}
      data-filter
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        search(value.trim() === '' ? '' : value)
      }}
    />
  )
}
