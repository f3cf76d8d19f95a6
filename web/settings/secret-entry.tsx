import { PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FieldInfo, listQuery } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import { USERS } from './people.ts'
import { setWords } from './secret-words.ts'
import classes from './settings.module.css'

interface Props {
  field: FieldInfo
  /** Whether there is one; what it is, the page does not know. */
  isSet: boolean
  /** When and by whose login, where that is known. */
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
  const who = useNameOf(set?.by ?? null)
  const shown = isSet ? setWords(set, { say, who, at: formats.time }) : say('isNotSet')
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

/** The name of the person with a login; the login of one who is gone. */
function useNameOf(login: string | null): string {
  const { data: people = [], isPending } = useQuery({
    ...listQuery(USERS, { domain: [['login', '=', login]], fields: ['name'], limit: 1 }),
    enabled: login !== null,
  })
  return login === null ? '' : plain(people[0]?.name ?? (isPending ? '…' : login))
}
