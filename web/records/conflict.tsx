import { Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../data/errors.ts'
import type { FieldInfo } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { FieldText } from './field-text.tsx'
import { readWithParts } from './read-parts.ts'
import { changesOf, isSecretName, type Values } from './record-values.ts'
import classes from './records.module.css'

/** Fields that somebody else has changed to another value than one has oneself. */
export interface Conflict {
  /** Null is the service itself. */
  by: string | null
  /** The version that the record has now. */
  stamp: string
  changes: readonly { name: string; field: FieldInfo; value: unknown; mine: unknown }[]
}

interface Met {
  model: string
  id: number | undefined
  fields: Record<string, FieldInfo>
  /** What each field held when one began to change it, whatever was read since. */
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
  const now = await readWithParts(model, id, fields, [...names, 'write_stamp'])
  if (now === undefined) return undefined
  const theirs = changesOf(before, Object.fromEntries(names.map((name) => [name, now[name]])))
  const { by } = error.context
  return {
    by: Array.isArray(by) ? String(by[1]) : null,
    stamp: String(now.write_stamp),
    changes: Object.keys(theirs).flatMap((name) => {
      const field = fields[name]
      const isAgreed = Object.keys(changesOf(now, { [name]: mine[name] })).length === 0
      return field === undefined || isAgreed ? [] : [{ name, field, value: now[name], mine: mine[name] }]
    }),
  }
}

/** Who was faster. What no person has changed, Connect has: for a voice agent, or after a delivery. */
function fasterOne({ by }: Pick<Conflict, 'by'>, say: (key: 'service' | 'somebody') => string): string {
  return plain(by === null ? say('service') : by || say('somebody'))
}

/** That a change is saved, and who has changed other fields meanwhile, which stay. */
export function useSavedWords(): (saved: string, others: Pick<Conflict, 'by'> | undefined) => string {
  const say = useWords('records')
  return (saved, others) =>
    others === undefined ? saved : `${saved}. ${say('changedElsewhere', { who: fasterOne(others, say) })}`
}

interface Props {
  conflict: Conflict
  /** Called with the fields whose value of the other one stands; of the others one's own is saved. */
  onChoose: (taken: readonly string[]) => unknown
}

/** Of each field that two changed both values, of which one is chosen. */
export function ConflictNotice({ conflict: { by, changes }, onChoose }: Props) {
  const say = useWords('records')
  const [chosen, setChosen] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({})
  const who = fasterOne({ by }, say)
  const taken = changes.filter(({ name }) => chosen[name] === 'theirs').map(({ name }) => name)
  const notice = useRef<HTMLDivElement>(null)
  // It stands above the fields, and Save below them.
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div ref={notice} className={classes.conflict} role="alert">
      {changes.map(({ name, field, value, mine }) => (
        <fieldset key={name} className={classes.choice}>
          <legend>{say('changedBoth', { who, field: field.string })}</legend>
          {(['mine', 'theirs'] as const).map((whose) => (
            <label key={whose}>
              <input
                type="radio"
                name={`conflict ${name}`}
                checked={chosen[name] === whose}
                onChange={() => setChosen({ ...chosen, [name]: whose })}
              />{' '}
              {whose === 'mine' ? say('mine') : who}: <Shown field={field} value={whose === 'mine' ? mine : value} />
            </label>
          ))}
        </fieldset>
      ))}
      <Group gap={8} mt={8}>
        <Button
          variant="default"
          disabled={changes.some(({ name }) => chosen[name] === undefined)}
          onClick={() => onChoose(taken)}
        >
          {say('saveChosen')}
        </Button>
      </Group>
    </div>
  )
}

/** What is typed into a field of secrets is read by nobody. */
function Shown({ field, value }: { field: FieldInfo; value: unknown }) {
  if (isSecretName(field.name)) return <strong>••••</strong>
  return <strong>{isEmpty(value) ? '–' : <FieldText field={field} value={value} />}</strong>
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
