import { Button, PasswordInput } from '@mantine/core'
import type { FieldInfo } from '../data/queries.ts'
import { useWords } from '../words/words.ts'
import classes from './settings.module.css'

interface Props {
  field: FieldInfo
  /** Whether there is one; what it is, the page does not know. */
  isSet: boolean
  value: unknown
  onChange: (value: string | undefined) => void
}

const LABELS: Readonly<Record<string, 'authToken' | 'apiSecret' | 'apiKey'>> = {
  display_auth_token: 'authToken',
  display_telco_api_secret: 'apiSecret',
  display_voiceai_api_key: 'apiKey',
}

/** A secret is replaced and never shown; asterisks are never sent. */
export function SecretEntry({ field, isSet, value, onChange }: Props) {
  const say = useWords('settings')
  const named = LABELS[field.name]
  const label = named === undefined ? field.string : say(named)
  if (isSet && value === undefined) {
    return (
      <div>
        <div className={classes.label}>{label}</div>
        <span>{say('isSet')}</span>{' '}
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => onChange('')}
          aria-label={`${say('replace')}: ${label}`}
        >
          {say('replace')}
        </Button>
      </div>
    )
  }
  const change = (text: string) => onChange(text === '' ? undefined : text)
  return (
    <PasswordInput
      label={label}
      autoComplete="off"
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': say('show') }}
    />
  )
}
