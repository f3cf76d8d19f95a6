import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../words/words.ts'

const INDENT = 2

/** A value as JSON; what is none yet is not handed on. */
export function JsonInput({
  value,
  onChange,
  error,
  ...props
}: {
  label?: string
  'aria-label'?: string
  description: string | undefined
  error: string | undefined
  withAsterisk: boolean
  value: unknown
  onChange: (value: unknown) => void
}) {
  const say = useWords('records')
  const [text, setText] = useState(value === null || value === undefined ? '' : JSON.stringify(value, null, INDENT))
  const [isWrong, setWrong] = useState(false)
  const change = (written: string): void => {
    setText(written)
    try {
      onChange(written.trim() === '' ? null : JSON.parse(written))
      setWrong(false)
    } catch {
      setWrong(true)
    }
  }
  return (
    <Textarea
      {...props}
      autosize
      minRows={3}
      maxRows={20}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={text}
      error={isWrong ? say('notJson') : error}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
