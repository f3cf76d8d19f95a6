import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { namesQuery } from '../data/queries.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

interface Props {
  label?: string
  'aria-label'?: string
  placeholder?: string
  description?: string | undefined
  error?: string | undefined
  withAsterisk?: boolean
  model: string
  /** The pair that was read, an id, or null. */
  value: unknown
  onChange: (value: unknown) => void
}

/** Chooses a record by its name. */
export function LinkPicker({ model, value, onChange, placeholder, ...props }: Props) {
  const say = useWords('records')
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const chosen = Array.isArray(value) ? { value: String(value[0]), label: plain(String(value[1])) } : undefined
  const { data: found = [] } = useQuery({
    ...namesQuery(model, text === chosen?.label ? '' : text),
    enabled: isOpen,
  })
  const options = found.map(([id, name]) => ({ value: String(id), label: plain(name) || `#${id}` }))
  const isKnown = chosen === undefined || options.some((option) => option.value === chosen.value)
  return (
    <Select
      {...props}
      searchable
      // What is needed is only exchanged for another.
      clearable={props.withAsterisk !== true}
      placeholder={placeholder ?? say('choose')}
      nothingFoundMessage={say('nobody')}
      filter={({ options: all }) => all}
      data={isKnown ? options : [chosen, ...options]}
      value={chosen?.value ?? null}
      onSearchChange={setText}
      onDropdownOpen={() => setOpen(true)}
      onChange={(id, option) => onChange(id === null ? null : [Number(id), option.label])}
    />
  )
}
