import { useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { callByName, create } from '../data/client.ts'
import { usePutDraft } from '../data/drafts.ts'
import { ApiError, type FieldProblem, sentenceOf } from '../data/errors.ts'
import { keyOf, keysOf } from '../data/keys.ts'
import type { FieldInfo } from '../data/queries.ts'
import { isPageLeft } from '../data/session.ts'
import { type Keymap, SAVE_KEY, useKeys } from '../design/keys.ts'
import { tellDone } from '../design/notices.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'
import { type Conflict, conflictOf, useSavedWords } from './conflict.tsx'
import { withFollowing } from './follows.ts'
import { storable, useEdits } from './form-draft.ts'
import { useMadeForForm } from './made-for-form.ts'
import { problemAt, type Sent, sentOf } from './parts.ts'
import { isAskedAbout, type Lost, lostWithParts } from './reach.ts'
import { only, proposedOf, type Values } from './record-values.ts'
import { useTakeBack } from './take-back.ts'
import { valuesOfUndrawn } from './unread-fields.ts'
import { useWays } from './ways.ts'

export interface FormOf {
  model: string
  /** What one of the model is called. */
  label: string
  /** Undefined for one that is to be made. */
  id: number | undefined
  fields: Record<string, FieldInfo>
  row: Values
}

/** What a change stands on: the version, its values, and who has changed other fields of it since. */
interface Stored {
  since: string | null
  was: Values
  others?: Conflict
}

/** What is typed into the form of a record, saved with what was there when it was typed. */
export function useRecordForm({ model, label, id, fields, row }: FormOf) {
  const say = useWords('records')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const ways = useWays(model)
  const putDraft = usePutDraft(storable)
  const edits = useEdits({ model, id, row })
  const { edited, before, changes, stamp } = edits
  const isChanged = Object.keys(changes).length > 0
  const [problems, setProblems] = useProblem<Record<string, string>>({})
  const [conflict, setConflict] = useState<Conflict>()
  const [unanswered, setUnanswered] = useState<Lost>()
  const ref = useRef<HTMLFormElement>(null)
  const savedWords = useSavedWords()
  const takeBack = useTakeBack()
  const made = useMadeForForm({ model, id: id ?? 'new' })
  useEffect(() => focusFirst(ref.current, problems), [problems])
  const clear = (): void => {
    edits.clear()
    setProblems({})
    setConflict(undefined)
  }
  const make = async (values: Values): Promise<void> => {
    const begun = { ...valuesOfUndrawn(model), ...proposedOf(fields, row) }
    const record = await create(model, { ...begun, ...sentOf(fields, row, values).vals })
    const left = edits.takeOut(edited)
    made.saved([values, left])
    if (left !== undefined) putDraft({ model, id: record, field: 'form' }, left)
    clear()
    await queries.invalidateQueries({ queryKey: keysOf(model) })
    tellDone(say('created', { label }))
    await navigate({ to: ways.one(record), ignoreBlocker: true })
  }
  const change = async (of: number, values: Values, { since, was, others }: Stored): Promise<void> => {
    await writeUnchanged(model, of, sentOf(fields, was, values).vals, since)
    const onBack = () => made.putBack(values)
    const back = takeBack({ model, id: of, fields, before: was, sent: values, onBack })
    // What was typed stays until it is read again: nobody sees what was before in its place.
    await queries.invalidateQueries({ queryKey: keysOf(model) })
    const left = edits.takeOut(edited)
    made.saved([values, left])
    if (left === undefined) clear()
    const saved = queries.getQueryData(keyOf(model, 'record', of))
    tellDone(savedWords(say('saved', { label }), others), await back)
    // What was typed while it was saved stands on the version that was saved.
    if (left !== undefined && saved !== undefined) edits.restamp(saved)
  }
  const save = async (values: Values, stored: Stored = { since: stamp.current, was: before }): Promise<void> => {
    setUnanswered(undefined)
    edits.sending.current = values
    try {
      if (id === undefined) await make(values)
      else await change(id, values, stored)
    } catch (error) {
      const { was } = stored
      const met = await conflictOf(error, { model, id, fields, before: was, mine: values })
      // What somebody else changed elsewhere in the record stays.
      if (met?.changes.length === 0) return save(values, { since: met.stamp, was, others: met })
      if (met === undefined)
        setProblems(problemsByField(error, fields, sentOf(fields, id === undefined ? row : was, values)))
      setConflict(met)
    } finally {
      edits.sending.current = {}
    }
  }
  /** Of the named fields the other's values stand; what was typed elsewhere is saved. */
  const resolve = async (taken: readonly string[]): Promise<void> => {
    if (conflict === undefined) return
    const theirs = Object.fromEntries(conflict.changes.map(({ name, value }) => [name, value]))
    const was = { ...before, ...theirs }
    stamp.current = conflict.stamp
    setConflict(undefined)
    const left = edits.rebase(taken, theirs)
    if (Object.keys(left).length > 0) await save(left, { since: conflict.stamp, was })
    await queries.invalidateQueries({ queryKey: keysOf(model, 'record', id) })
  }
  const lost =
    id === undefined ? [] : lostWithParts({ model, fields, before, edited: only(edited, Object.keys(changes)) })
  useSaveKey(() => ref.current?.requestSubmit(), isChanged)
  return {
    ...{ ref, edited, problems, conflict, isChanged, lost, unanswered, resolve },
    ...{ hasDraft: edits.hasDraft, round: edits.round },
    noting: made.noting,
    hasMade: made.hasMade,
    discard: (): void => {
      const { draft } = edits
      clear()
      made.discarded(say('discarded'), () => draft && edits.putBack(draft))
    },
    changeAll: (values: Values): void => {
      const following = withFollowing(model, { stored: row, shown: { ...row, ...edited }, change: values })
      for (const [name, value] of Object.entries(following)) edits.change(name, value)
    },
    submit: async (): Promise<void> => {
      const asked = lost.find(isAskedAbout)
      if (!isChanged) return
      if (asked === undefined) await save(changes)
      else setUnanswered(asked)
    },
    saveAnyway: () => save(changes),
    keepAnswer: () => setUnanswered(undefined),
    ...useLeaving(isChanged),
  }
}

function useLeaving(isChanged: boolean) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged && !isPageLeft(),
    withResolver: true,
  })
  return { isLeaving: status === 'blocked', leave: () => proceed?.(), stay: () => reset?.() }
}

/** Refused when somebody else was faster. */
async function writeUnchanged(model: string, id: number, vals: Values, since: string | null): Promise<void> {
  await callByName(model, 'write', { ids: [id], vals, context: since === null ? {} : { unchanged_since: since } })
}

/** Sentences by the field, or the row of parts and its field, that they are about; the others, and those of fields that are not here, under no name. */
function problemsByField(error: unknown, fields: Record<string, FieldInfo>, sent: Sent): Record<string, string> {
  const given = error instanceof ApiError ? error.problems : []
  const named = given.flatMap((problem): [string, string][] => {
    const place = placeOf(problem, fields, sent)
    return place === undefined ? [] : [[place, problem.message]]
  })
  const others = given.length === named.length && given.length > 0 ? [] : [sentenceOf(error)]
  return { ...Object.fromEntries(named), '': others.join(' ') }
}

function placeOf({ field, inside }: FieldProblem, fields: Record<string, FieldInfo>, sent: Sent): string | undefined {
  if (inside === undefined) return field !== null && Object.hasOwn(fields, field) ? field : undefined
  const { columns } = fields[inside.field] ?? {}
  if (columns === undefined) return undefined
  const row = sent.rowsOf[inside.field]?.[inside.at]
  if (row === undefined) return inside.field
  return problemAt(inside.field, row, columns.some(({ name }) => name === field) ? (field ?? '') : '')
}

/** Said of the page; it is pressed while somebody types, so it is listened for on its own. */
const SAVE_KEYS: Keymap = { [SAVE_KEY]: () => undefined }

/** Anyone who was refused stands in the first field that is wrong. */
function focusFirst(form: HTMLFormElement | null, problems: Record<string, string>): void {
  if (Object.values(problems).every((problem) => problem === '')) return
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

function useSaveKey(save: () => void, isChanged: boolean): void {
  useKeys(SAVE_KEYS)
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
