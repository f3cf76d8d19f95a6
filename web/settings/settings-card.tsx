import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { write } from '../data/client.ts'
import { ApiError, sentenceOf } from '../data/errors.ts'
import type { FieldInfo } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { tellDone } from '../design/notices.tsx'
import { FieldInput } from '../records/field-input.tsx'
import { changesOf, isWritable, type Values } from '../records/record-values.ts'
import { useWords } from '../words/words.ts'
import { RunButtons } from './run-buttons.tsx'
import { SecretEntry } from './secret-entry.tsx'
import classes from './settings.module.css'
import { type CardName, fieldsOf, isSecretEntry, RUNS } from './settings-cards.ts'

interface Props {
  card: CardName
  fields: Record<string, FieldInfo>
  row: Values & { id: number }
}

/** Some settings that belong together, saved together; a refusal stands under the field that it names. */
export function SettingsCard({ card, fields, row }: Props) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const isManager = useIsInOne(GROUP.manager)
  const [edited, setEdited] = useState<Values>({})
  const [problems, setProblems] = useState<Record<string, string>>({})
  const changes = changesOf(row, edited)
  const own = fieldsOf(card, fields).filter((field) => isManager || !isSecretEntry(field))
  const set = (name: string, value: unknown) => setEdited((before) => ({ ...before, [name]: value }))
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      await write('connect.settings', [row.id], changes)
      setEdited({})
      setProblems({})
      await queries.invalidateQueries({ queryKey: ['connect.settings', 'one'] })
      tellDone(say('saved'))
    } catch (error) {
      const named =
        error instanceof ApiError ? error.problems.filter(({ field }) => own.some(({ name }) => name === field)) : []
      setProblems({
        ...Object.fromEntries(named.map(({ field, message }) => [field ?? '', message])),
        '': named.length === 0 ? sentenceOf(error) : '',
      })
    }
  }
  const runs = RUNS[card]
  return (
    <section className={classes.card} aria-label={say(card)}>
      <h2>{say(card)}</h2>
      <p className="dim">{say(`${card}Says`)}</p>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        {own.map((field) => {
          const value = field.name in edited ? edited[field.name] : row[field.name]
          return isSecretEntry(field) ? (
            <SecretEntry
              key={field.name}
              field={field}
              isSet={row[field.name] !== null}
              value={edited[field.name]}
              onChange={(secret) => set(field.name, secret)}
            />
          ) : (
            <FieldInput
              key={field.name}
              field={field}
              value={value}
              isWritable={isWritable(field, false)}
              problem={problems[field.name]}
              onChange={(next) => set(field.name, next)}
            />
          )
        })}
        <p role="alert" className={classes.problem}>
          {problems['']}
        </p>
        <div className={classes.actions}>
          <Button type="submit" disabled={Object.keys(changes).length === 0}>
            {say('save')}
          </Button>
          {runs === undefined ? null : <RunButtons runs={runs} />}
        </div>
      </form>
    </section>
  )
}
