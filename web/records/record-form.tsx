import { useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { callByName, create } from '../data/client.ts'
import { fieldsChangedSince, useDraft, usePutDraft } from '../data/drafts.ts'
import { ApiError, sentenceOf } from '../data/errors.ts'
import { keyOf, keysOf } from '../data/keys.ts'
import type { FieldInfo } from '../data/queries.ts'
import { isPageLeft } from '../data/session.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { type Conflict, ConflictNotice, conflictOf } from './conflict.tsx'
import { FieldInput } from './field-input.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { changesOf, isWritable, REMARKS, sectionsOf, type Values, withoutSecrets } from './record-values.ts'
import classes from './records.module.css'
import { Remarks } from './remarks.tsx'
import { SameNumbers } from './same-number.tsx'

interface Props {
  model: string
  /** Undefined for one that is to be made. */
  id: number | undefined
  fields: Record<string, FieldInfo>
  row: Values
}

/** What is typed, and the version of the record that it was typed on. */
interface Draft {
  values: Values
  stamp: string | null
}

function storable({ values, stamp }: Draft): Draft | undefined {
  const stored = withoutSecrets(values)
  return stored && { values: stored, stamp }
}

const SECTIONS = { general: 'general', linked: 'linkedSection', reported: 'reported', record: 'recordSection' } as const

/** A form made from what the service says of the fields; its refusals stand under the field that they name. */
export function RecordForm({ model, id, fields, row }: Props) {
  const say = useWords('records')
  const form = useForm({ model, id, fields, row })
  const { edited, problems, conflict, isChanged } = form
  const isNew = id === undefined
  const isAny = Object.values(fields).some((field) => isWritable(field, isNew))
  return (
    <Form ref={form.ref} className={classes.form} onSubmit={form.submit} noValidate>
      {form.hasDraft ? (
        <p className={classes.draft} role="status">
          {say('draftKept')}{' '}
          <Button variant="subtle" size="compact-sm" onClick={form.discard}>
            {say('discard')}
          </Button>
        </p>
      ) : null}
      {conflict === undefined ? null : <ConflictNotice conflict={conflict} onTake={form.take} onKeep={form.keepMine} />}
      <Remarks remarks={row[REMARKS]} />
      {sectionsOf(fields).map(({ section, fields: shown }, at) => (
        <fieldset key={section} className={classes.section}>
          {at === 0 ? null : (
            <legend>{section in SECTIONS ? say(SECTIONS[section as keyof typeof SECTIONS]) : section}</legend>
          )}
          {shown.map((field) => (
            <FieldInput
              key={`${field.name} ${form.round}`}
              field={field}
              value={field.name in edited ? edited[field.name] : row[field.name]}
              isWritable={isWritable(field, isNew)}
              problem={problems[field.name]}
              onChange={(value) => form.change(field.name, value)}
            />
          ))}
        </fieldset>
      ))}
      {model === 'res.partner' ? <SameNumbers id={id} edited={edited} /> : null}
      <p role="alert" className={classes.problem}>
        {problems['']}
      </p>
      {isAny ? (
        <div className={classes.buttons}>
          <Button type="submit" disabled={!isChanged}>
            {say('save')}
          </Button>
          <Button variant="subtle" disabled={!isChanged} onClick={form.discard}>
            {say('discard')}
          </Button>
        </div>
      ) : null}
      <LeaveDialog isAsking={form.isLeaving} onLeave={form.leave} onStay={form.stay} />
    </Form>
  )
}

function useForm({ model, id, fields, row }: Props) {
  const say = useWords('records')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const ref = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useDraft<Draft>({ model, id: id ?? 'new', field: 'form' }, { withoutSecrets: storable })
  const putDraft = usePutDraft(storable)
  const [hasDraft, setHasDraft] = useState(draft !== undefined)
  const edited = draft?.values ?? {}
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [conflict, setConflict] = useState<Conflict>()
  const [round, setRound] = useState(0)
  const stamp = useRef(draft?.stamp ?? stampOf(row))
  const changes = changesOf(row, edited)
  const isChanged = Object.keys(changes).length > 0
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged && !isPageLeft(),
    withResolver: true,
  })
  useEffect(() => focusFirst(ref.current, problems), [problems])
  // What was typed before stands on the version it was typed on; otherwise the newest one that is shown.
  if (!isChanged) stamp.current = stampOf(row)
  const clear = (): void => {
    setDraft(undefined)
    setHasDraft(false)
    setProblems({})
    setConflict(undefined)
    setRound((before) => before + 1)
  }
  /** What was typed after it was sent, and nothing else, stays. */
  const takeOut = (sent: Values): Draft | undefined =>
    setDraft((now) => {
      const values = fieldsChangedSince(sent)(now?.values)
      return values && { values, stamp: now?.stamp ?? null }
    })
  const restamp = (saved: Values | undefined): void => {
    if (saved === undefined) return
    stamp.current = stampOf(saved)
    setDraft((now) => now && { ...now, stamp: stamp.current })
  }
  const refused = async (error: unknown, mine: Values): Promise<void> => {
    const met = await conflictOf(error, { model, id, fields, before: row, mine })
    if (met === undefined) setProblems(problemsByField(error, fields))
    else setConflict(met)
  }
  const make = async (values: Values): Promise<void> => {
    const made = await create(model, values)
    const left = takeOut(edited)
    if (left !== undefined) putDraft({ model, id: made, field: 'form' }, left)
    clear()
    await queries.invalidateQueries({ queryKey: keysOf(model) })
    tellDone(say('created'))
    await navigate({ to: '/records/$model/$id', params: { model, id: String(made) }, ignoreBlocker: true })
  }
  const change = async (of: number, values: Values): Promise<void> => {
    await writeUnchanged(model, of, values, stamp.current)
    const left = takeOut(edited)
    if (left === undefined) clear()
    await queries.invalidateQueries({ queryKey: keysOf(model) })
    tellDone(say('saved'))
    // What was typed while it was saved stands on the version that was saved.
    if (left !== undefined) restamp(queries.getQueryData(keyOf(model, 'record', of)))
  }
  const save = async (values: Values): Promise<void> => {
    try {
      if (id === undefined) await make(values)
      else await change(id, values)
    } catch (error) {
      await refused(error, values)
    }
  }
  useSaveKey(() => ref.current?.requestSubmit(), isChanged)
  return {
    ref,
    edited,
    problems,
    conflict,
    isChanged,
    hasDraft,
    round,
    change: (name: string, value: unknown): void => {
      setDraft((before) => {
        const values = { ...before?.values, [name]: value }
        return Object.keys(changesOf(row, values)).length === 0 ? undefined : { values, stamp: stamp.current }
      })
    },
    discard: clear,
    submit: async (): Promise<void> => {
      if (isChanged) await save(changes)
    },
    /** The other's values stand; what was typed elsewhere in the form stays typed. */
    take: (): void => {
      const names = conflict?.changes.map((each) => each.name) ?? []
      const kept = Object.fromEntries(Object.entries(edited).filter(([name]) => !names.includes(name)))
      stamp.current = conflict?.stamp ?? stamp.current
      setDraft({ values: kept, stamp: stamp.current })
      setConflict(undefined)
      setRound((before) => before + 1)
      void queries.invalidateQueries({ queryKey: keysOf(model, 'record', id) })
    },
    keepMine: (): Promise<void> => {
      stamp.current = conflict?.stamp ?? stamp.current
      setConflict(undefined)
      return save(changes)
    },
    isLeaving: status === 'blocked',
    leave: () => proceed?.(),
    stay: () => reset?.(),
  }
}

function stampOf({ write_stamp: stamp }: Values): string | null {
  return typeof stamp === 'string' ? stamp : null
}

/** Refused when somebody else was faster. */
async function writeUnchanged(model: string, id: number, vals: Values, since: string | null): Promise<void> {
  await callByName(model, 'write', { ids: [id], vals, context: since === null ? {} : { unchanged_since: since } })
}

/** Sentences by the field that they are about; the others, and those of fields that are not here, under no name. */
function problemsByField(error: unknown, fields: Record<string, FieldInfo>): Record<string, string> {
  const given = error instanceof ApiError ? error.problems : []
  const named = given.filter(({ field }) => field !== null && Object.hasOwn(fields, field))
  const others = given.length === named.length && given.length > 0 ? [] : [sentenceOf(error)]
  return { ...Object.fromEntries(named.map(({ field, message }) => [field ?? '', message])), '': others.join(' ') }
}

/** Whoever was refused stands in the first field that is wrong. */
function focusFirst(form: HTMLFormElement | null, problems: Record<string, string>): void {
  if (Object.values(problems).every((problem) => problem === '')) return
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

function useSaveKey(save: () => void, isChanged: boolean): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey) || event.altKey) return
      event.preventDefault()
      if (isChanged) save()
    }
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  })
}
