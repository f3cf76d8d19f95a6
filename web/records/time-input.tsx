import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { instantOfWall, wallTime, withDots } from '../words/formats.ts'
import { reader, useWords } from '../words/words.ts'

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
  const say = useWords('records')
  const { zone, language } = reader()
  const [text, setText] = useState(() => writtenOf(value, { zone, language }))
  const change = (written: string): void => {
    setText(written)
    onChange(written.trim() === '' ? null : (instantOfWall(written, zone) ?? written))
  }
  return (
    <TextInput
      {...props}
      placeholder={say('timeExample')}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

function writtenOf(value: unknown, { zone, language }: { zone: string; language: string }): string {
  if (typeof value !== 'string' || value === '') return ''
  if (Number.isNaN(Date.parse(value.replace(' ', 'T')))) return value
  const written = wallTime(value, zone).replace(/:00$/, '')
  return language.startsWith('de') ? withDots(written) : written
}
