import { Input, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../words/words.ts'
import { JsonText } from './json-text.tsx'

const INDENT = 2

/** A value that has no rows of its own: as people read it, and behind a press as JSON. What is none yet is not handed on. */
export function JsonInput({
  label,
  description,
  withAsterisk,
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
    <Input.Wrapper label={label} labelElement="div" withAsterisk={withAsterisk}>
      <JsonText value={value} />
      <details open={error !== undefined}>
        <summary>{say('editAsJson')}</summary>
        <Textarea
          {...props}
          {...(label === undefined ? {} : { 'aria-label': label })}
          description={description}
          autosize
          minRows={3}
          maxRows={20}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          error={isWrong ? say('notJson') : error}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      </details>
    </Input.Wrapper>
  )
}
