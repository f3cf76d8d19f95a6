import { PasswordInput } from '@mantine/core'
import type { FieldInfo } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'
import classes from './settings.module.css'

interface Props {
  field: FieldInfo
  /** Whether there is one; what it is, the page does not know. */
  isSet: boolean
  /** When and by whom, where that is known. */
  set: { at: string; by: string | null } | null | undefined
  isWritable: boolean
  value: unknown
  problem: string | undefined
  onChange: (value: string | undefined) => void
}

/** A secret is replaced and never shown; asterisks are never sent. */
export function SecretEntry({ field, isSet, set, isWritable, value, problem, onChange }: Props) {
  const say = useWords('settings')
  const label = field.string
  const shown = !isSet ? say('isNotSet') : setWords(set, say)
  if (!isWritable || (isSet && value === undefined)) {
    return (
      <div>
        <div className={classes.label}>{label}</div>
        <span className={classes.secret}>
          <span>{shown}</span>
          {isWritable ? (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => onChange('')}
              aria-label={`${say('replace')}: ${label}`}
            >
              {say('replace')}
            </Button>
          ) : null}
        </span>
      </div>
    )
  }
  return (
    <PasswordInput
      label={label}
      autoComplete="off"
      error={problem}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': say('show') }}
      autoFocus={isSet}
    />
  )
}

function setWords(set: Props['set'], say: ReturnType<typeof useWords<'settings'>>): string {
  if (set === null || set === undefined) return say('isSet')
  const at = formats.time(set.at)
  return set.by === null ? say('setAt', { at }) : say('setBy', { at, by: set.by })
}
