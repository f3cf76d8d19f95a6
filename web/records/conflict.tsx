import { Group } from '@mantine/core'
import { callByName } from '../data/client.ts'
import { ApiError } from '../data/errors.ts'
import type { FieldInfo } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { FieldText } from './field-text.tsx'
import { changesOf, type Values } from './record-values.ts'
import classes from './records.module.css'

/** What somebody else changed in fields that one has changed oneself. */
export interface Conflict {
  by: string | undefined
  /** The version that the record has now. */
  stamp: string
  changes: readonly { name: string; field: FieldInfo; value: unknown }[]
}

interface Met {
  model: string
  id: number | undefined
  fields: Record<string, FieldInfo>
  before: Values
  mine: Values
}

/** Looks at what is there now, after a change was refused because somebody else was faster; undefined for other errors. */
export async function conflictOf(
  error: unknown,
  { model, id, fields, before, mine }: Met,
): Promise<Conflict | undefined> {
  if (!(error instanceof ApiError) || error.code !== 'changed-meanwhile' || id === undefined) return undefined
  const names = Object.keys(mine)
  const [now] = (await callByName(model, 'read', { ids: [id], fields: [...names, 'write_stamp'] })) as Values[]
  if (now === undefined) return undefined
  const theirs = changesOf(before, Object.fromEntries(names.map((name) => [name, now[name]])))
  const { by } = error.context
  return {
    by: Array.isArray(by) ? String(by[1]) : undefined,
    stamp: String(now.write_stamp),
    changes: Object.keys(theirs).flatMap((name) => {
      const field = fields[name]
      return field === undefined ? [] : [{ name, field, value: now[name] }]
    }),
  }
}

interface Props {
  conflict: Conflict
  onTake: () => void
  onKeep: () => unknown
}

/** "Hugo changed Priority to High", and the two things one can do. */
export function ConflictNotice({ conflict: { by, changes }, onTake, onKeep }: Props) {
  const say = useWords('records')
  const who = plain(by ?? say('somebody'))
  return (
    <div className={classes.conflict} role="alert">
      {changes.length === 0 ? <p>{say('changedElsewhere', { who })}</p> : null}
      {changes.map(({ name, field, value }) => (
        <p key={name}>
          {say('changedTo', { who, field: field.string })}{' '}
          <strong>{isEmpty(value) ? '–' : <FieldText field={field} value={value} />}</strong>
        </p>
      ))}
      <Group gap={8} mt={8}>
        {changes.length === 0 ? null : (
          <Button variant="default" onClick={onTake}>
            {say('take')}
          </Button>
        )}
        <Button variant="default" onClick={onKeep}>
          {changes.length === 0 ? say('saveAnyway') : say('keepMine')}
        </Button>
      </Group>
    </div>
  )
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
