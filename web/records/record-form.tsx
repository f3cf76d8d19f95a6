import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { create, write } from '../data/client.ts'
import { ApiError, sentenceOf } from '../data/errors.ts'
import type { FieldInfo } from '../data/queries.ts'
import { tellDone } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'
import { FieldInput } from './field-input.tsx'
import { changesOf, isWritable, shownFields, type Values } from './record-values.ts'
import classes from './records.module.css'

interface Props {
  model: string
  /** Undefined for one that is to be made. */
  id: number | undefined
  fields: Record<string, FieldInfo>
  row: Values
}

/** A form made from what the service says of the fields; its refusals stand under the field that they name. */
export function RecordForm({ model, id, fields, row }: Props) {
  const say = useWords('records')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [edited, setEdited] = useState<Values>({})
  const [problems, setProblems] = useState<Record<string, string>>({})
  const changes = changesOf(row, edited)
  const isChanged = Object.keys(changes).length > 0
  useLeaveGuard(isChanged)
  const refused = (error: unknown): void => setProblems(problemsByField(error, fields))
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      const saved = id ?? (await create(model, changes))
      if (id !== undefined) await write(model, [id], changes)
      setEdited({})
      setProblems({})
      await queries.invalidateQueries({ queryKey: [model] })
      tellDone(id === undefined ? say('created') : say('saved'))
      if (id === undefined)
        void navigate({ to: '/records/$model/$id', params: { model, id: String(saved) }, ignoreBlocker: true })
    } catch (error) {
      refused(error)
    }
  }
  const shown = shownFields(fields)
  const isAny = shown.some((field) => isWritable(field, id === undefined))
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      {shown.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={field.name in edited ? edited[field.name] : row[field.name]}
          isWritable={isWritable(field, id === undefined)}
          problem={problems[field.name]}
          onChange={(value) => setEdited((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <p role="alert" className={classes.problem}>
        {problems['']}
      </p>
      {isAny ? (
        <div className={classes.wide}>
          <Button type="submit" disabled={!isChanged} mr={8}>
            {say('save')}
          </Button>
          <Button variant="subtle" disabled={!isChanged} onClick={() => setEdited({})}>
            {say('discard')}
          </Button>
        </div>
      ) : null}
    </form>
  )
}

/** Sentences by the field that they are about; the others, and those of fields that are not here, under no name. */
function problemsByField(error: unknown, fields: Record<string, FieldInfo>): Record<string, string> {
  const given = error instanceof ApiError ? error.problems : []
  const named = given.filter(({ field }) => field !== null && Object.hasOwn(fields, field))
  const others = given.length === named.length && given.length > 0 ? [] : [sentenceOf(error)]
  return { ...Object.fromEntries(named.map(({ field, message }) => [field ?? '', message])), '': others.join(' ') }
}

function useLeaveGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isChanged])
}
