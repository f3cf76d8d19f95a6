import { Switch } from '@mantine/core'
import { useState } from 'react'
import { areNoticesWanted, wantNotices } from '../data/notice-wish.ts'
import { useWords } from '../words/words.ts'

/** Whether this browser shows notices while one looks elsewhere; it asks for leave when that is first wanted. */
export function Notices() {
  const say = useWords('me')
  const [isOn, setOn] = useState(areNoticesWanted())
  const [isRefused, setRefused] = useState(false)
  const change = async (wanted: boolean): Promise<void> => {
    const shown = await wantNotices(wanted)
    setOn(shown)
    setRefused(wanted && !shown)
  }
  return (
    <Switch
      label={say('notices')}
      checked={isOn}
      error={isRefused ? say('noticesRefused') : undefined}
      onChange={({ currentTarget: { checked } }) => void change(checked)}
    />
  )
}
