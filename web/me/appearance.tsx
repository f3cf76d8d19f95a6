import { Input, SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core'
import { useState } from 'react'
import { call } from '../data/client.ts'
import { currentDensity, DENSITIES, type Density, followDensity } from '../design/density.ts'
import { areKeysOn, switchKeys } from '../design/keys.ts'
import { tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'
import classes from './me.module.css'

const SCHEMES = ['light', 'dark', 'auto'] as const

/** How the page looks here, and what it does with single keys and how close rows stand, everywhere. */
export function Appearance() {
  const say = useWords('me')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [keys, setKeys] = useState(areKeysOn())
  const [density, setDensity] = useState(currentDensity())
  const save = (preferences: { keys: boolean; density: Density }) => {
    switchKeys(preferences.keys)
    setKeys(preferences.keys)
    followDensity(preferences.density)
    setDensity(preferences.density)
    call('res.users', 'set_preferences', { preferences }).catch(tellRefusal)
  }
  return (
    <div className={classes.form}>
      <Input.Wrapper label={say('appearance')} labelElement="div">
        <SegmentedControl
          aria-label={say('appearance')}
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as (typeof SCHEMES)[number])}
          data={SCHEMES.map((value) => ({ value, label: say(value) }))}
        />
      </Input.Wrapper>
      <Input.Wrapper label={say('density')} labelElement="div">
        <SegmentedControl
          aria-label={say('density')}
          value={density}
          onChange={(chosen) => save({ keys, density: chosen as Density })}
          data={DENSITIES.map((value) => ({ value, label: say(value) }))}
        />
      </Input.Wrapper>
      <Switch
        label={say('keys')}
        checked={keys}
        onChange={({ currentTarget: { checked } }) => save({ keys: checked, density })}
      />
    </div>
  )
}
