import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FieldInfo } from '../data/queries.ts'
import { decimal, readDecimal, readTimeOfDay, readWhole, timeOfDay } from '../words/numerals.ts'
import { reader, useWords } from '../words/words.ts'

interface Props {
  field: FieldInfo
  label?: string
  'aria-label'?: string
  description: string | undefined
  error: string | undefined
  withAsterisk: boolean
  value: unknown
  onChange: (value: unknown) => void
}

/** How a kind of number is read and written. */
interface Kind {
  read: (text: string) => number | undefined
  write: (value: number) => string
  /** What is said of what cannot be read. */
  refusal: 'notTime' | 'notNumber'
  input: { inputMode: 'text' | 'decimal' | 'numeric'; placeholder?: string; rightSection?: string }
}

/** A number or a time of day, typed as one says it; what is neither goes on as it is, to be refused. */
export function NumberField({ field, value, onChange, error, ...props }: Props) {
  const say = useWords('records')
  const { read, write, refusal, input } = kindOf(field)
  const written = typeof value === 'number' ? write(value) : String(value ?? '')
  const [typed, setTyped] = useState(written)
  const meant = (text: string) => (text.trim() === '' ? null : (read(text) ?? text))
  // What is typed stands as it was typed, for as long as it is what the form holds.
  const text = meant(typed) === (value ?? null) ? typed : written
  const isWrong = typeof meant(text) === 'string'
  const change = (next: string): void => {
    setTyped(next)
    onChange(meant(next))
  }
  return (
    <TextInput
      {...props}
      {...input}
      value={text}
      error={isWrong ? say(refusal) : error}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={() => setTyped(written)}
    />
  )
}

function kindOf({ name, type, widget }: FieldInfo): Kind {
  if (widget === 'time_of_day') {
    const input = { inputMode: 'text', placeholder: name.endsWith('_from') ? '09:00' : '18:00' } as const
    return { read: readTimeOfDay, write: timeOfDay, refusal: 'notTime', input }
  }
  const inputMode = type === 'float' ? 'decimal' : 'numeric'
  return {
    read: type === 'float' ? readDecimal : readWhole,
    write: (value) => decimal(value, reader().language),
    refusal: 'notNumber',
    input: widget === 'seconds' ? { inputMode, rightSection: 's' } : { inputMode },
  }
}
