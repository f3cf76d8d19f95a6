import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { instantOfWall, wallTime } from '../words/formats.ts'
import { reader } from '../words/words.ts'

interface Props {
  label?: string
  'aria-label'?: string
  description: string | undefined
  error: string | undefined
  withAsterisk: boolean
  value: unknown
  onChange: (value: unknown) => void
}

/** A moment, written as the clock on the wall of the reader's zone shows it; what is no time goes on as it is, to be refused. */
export function TimeInput({ value, onChange, ...props }: Props) {
  const { zone } = reader()
  const [text, setText] = useState(() => writtenOf(value, zone))
  const change = (written: string): void => {
    setText(written)
    onChange(written.trim() === '' ? null : (instantOfWall(written, zone) ?? written))
  }
  return (
    <TextInput
      {...props}
      placeholder="2026-11-23 09:00"
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

function writtenOf(value: unknown, zone: string): string {
  if (typeof value !== 'string' || value === '') return ''
  return Number.isNaN(Date.parse(value.replace(' ', 'T'))) ? value : wallTime(value, zone).replace(/:00$/, '')
}
