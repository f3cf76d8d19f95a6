import { useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { callByName, create } from '../data/client.ts'
import { fieldsChangedSince, useDraft, usePutDraft } from '../data/drafts.ts'
import { ApiError, type FieldProblem, sentenceOf } from '../data/errors.ts'
import { keyOf, keysOf } from '../data/keys.ts'
import type { FieldInfo } from '../data/queries.ts'
import { isPageLeft } from '../data/session.ts'
import { type Keymap, SAVE_KEY, useKeys } from '../design/keys.ts'
import { tellDone } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'
import { type Conflict, conflictOf } from './conflict.tsx'
import { problemAt, type Sent, sentOf } from './parts.ts'
import { type Lost, lostWithParts } from './reach.ts'
import { changesOf, only, proposedOf, type Values, withoutSecrets } from './record-values.ts'
import { useTakeBack } from './take-back.ts'
import { valuesOfUndrawn } from './unread-fields.ts'

export interface FormOf {
  model: string
  /** What one of the model is called. */
  label: string
  /** Undefined for one that is to be made. */
  id: number | undefined
  fields: Record<string, FieldInfo>
  row: Values
}

/** What is typed, what each field held when it was begun to be changed, and the version of the record at that time. */
interface Draft {
  values: Values
  before: Values
  stamp: string | null
}

function storable({ values, before, stamp }: Draft): Draft | undefined {
  const stored = withoutSecrets(values)
  return stored && { values: stored, before: withoutSecrets(before) ?? {}, stamp }
}

/** What is typed into the form of a record, saved with what was there when it was typed. */
export function useRecordForm({ model, label, id, fields, row }: FormOf) {
  const say = useWords('records')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const putDraft = usePutDraft(storable)
  const edits = useEdits({ model, id, row })
  const { edited, before, changes, stamp } = edits
  const isChanged = Object.keys(changes).length > 0
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [conflict, setConflict] = useState<Conflict>()
  const [unanswered, setUnanswered] = useState<Lost>()
  const ref = useRef<HTMLFormElement>(null)
  const takeBack = useTakeBack()
  useEffect(() => focusFirst(ref.current, problems), [problems])
  const clear = (): void => {
    edits.clear()
    setProblems({})
    setConflict(undefined)
  }
  const make = async (values: Values): Promise<void> => {
    const begun = { ...valuesOfUndrawn(model), ...proposedOf(fields, row) }
    const made = await create(model, { ...begun, ...sentOf(fields, row, values).vals })
    const left = edits.takeOut(edited)
    if (left !== undefined) putDraft({ model, id: made, field: 'form' }, left)
    clear()
    await queries.invalidateQueries({ queryKey: keysOf(model) })
    tellDone(say('created', { label }))
    await navigate({ to: '/records/$model/$id', params: { model, id: String(made) }, ignoreBlocker: true })
  }
  const change = async (of: number, values: Values, since: string | null, was: Values): Promise<void> => {
    await writeUnchanged(model, of, sentOf(fields, was, values).vals, since)
    const back = takeBack({ model, id: of, fields, before: was, sent: values })
    // What was typed stays until it is read again: nobody sees what was before in its place.
    await queries.invalidateQueries({ queryKey: keysOf(model) })
    const left = edits.takeOut(edited)
    if (left === undefined) clear()
    const saved = queries.getQueryData(keyOf(model, 'record', of))
    tellDone(say('saved', { label }), await back)
    // What was typed while it was saved stands on the version that was saved.
    if (left !== undefined && saved !== undefined) edits.restamp(saved)
  }
  const save = async (values: Values, since = stamp.current, was = before): Promise<void> => {
    setUnanswered(undefined)
    try {
      if (id === undefined) await make(values)
      else await change(id, values, since, was)
    } catch (error) {
      const met = await conflictOf(error, { model, id, fields, before: was, mine: values })
      if (met === undefined)
        setProblems(problemsByField(error, fields, sentOf(fields, id === undefined ? row : was, values)))
      setConflict(met)
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
    if (Object.keys(left).length > 0) await save(left, conflict.stamp, was)
    await queries.invalidateQueries({ queryKey: keysOf(model, 'record', id) })
  }
  const lost =
    id === undefined ? [] : lostWithParts({ model, fields, before, edited: only(edited, Object.keys(changes)) })
  useSaveKey(() => ref.current?.requestSubmit(), isChanged)
  return {
    ...{ ref, edited, problems, conflict, isChanged, lost, unanswered, resolve },
    ...{ hasDraft: edits.hasDraft, round: edits.round, change: edits.change, discard: clear },
    changeAll: (values: Values): void => {
      for (const [name, value] of Object.entries(values)) edits.change(name, value)
    },
    submit: async (): Promise<void> => {
      const asked = lost.find(({ isNowhere }) => isNowhere)
      if (!isChanged) return
      if (asked === undefined) await save(changes)
      else setUnanswered(asked)
    },
    saveAnyway: () => save(changes),
    keepAnswer: () => setUnanswered(undefined),
    ...useLeaving(isChanged),
  }
}

/** What is typed into the form of a record and not saved, as it would be sent; undefined when that is nothing. */
export function useUnsaved({ model, id, fields, row }: Omit<FormOf, 'label'>): Values | undefined {
  const [draft] = useDraft<Draft>({ model, id: id ?? 'new', field: 'form' }, { withoutSecrets: storable })
  if (draft === undefined) return undefined
  const before = { ...row, ...draft.before }
  const { vals } = sentOf(fields, before, changesOf(before, draft.values))
  return Object.keys(vals).length === 0 ? undefined : vals
}

/** What is typed, and what it is typed on. */
function useEdits({ model, id, row }: Omit<FormOf, 'fields' | 'label'>) {
  const [draft, setDraft] = useDraft<Draft>({ model, id: id ?? 'new', field: 'form' }, { withoutSecrets: storable })
  const [hasDraft, setHasDraft] = useState(draft !== undefined)
  const [round, setRound] = useState(0)
  const edited = draft?.values ?? {}
  const before = { ...row, ...draft?.before }
  const changes = changesOf(before, edited)
  const stamp = useRef(draft?.stamp ?? stampOf(row))
  // What was typed before stands on the version it was typed on; otherwise the newest one that is shown.
  if (Object.keys(changes).length === 0) stamp.current = stampOf(row)
  const keep = (values: Values, was: Values): void => {
    const left = only(values, Object.keys(changesOf({ ...row, ...was }, values)))
    const names = Object.keys(left)
    setDraft(names.length === 0 ? undefined : { values: left, before: only(was, names), stamp: stamp.current })
  }
  return {
    ...{ edited, before, changes, stamp, round },
    hasDraft: hasDraft && draft !== undefined,
    change: (name: string, value: unknown): void => {
      setDraft((now) => {
        const was = { [name]: row[name] ?? null, ...now?.before }
        const values = { ...now?.values, [name]: value }
        const names = Object.keys(changesOf({ ...row, ...was }, values))
        if (names.length === 0) return undefined
        return { values: only(values, names), before: only(was, names), stamp: stamp.current }
      })
    },
    clear: (): void => {
      setDraft(undefined)
      setHasDraft(false)
      setRound((last) => last + 1)
    },
    /** What was typed after it was sent, and nothing else, stays. */
    takeOut: (sent: Values): Draft | undefined =>
      setDraft((now) => {
        const values = fieldsChangedSince(sent)(now?.values)
        return values && { values, before: only(now?.before ?? {}, Object.keys(values)), stamp: now?.stamp ?? null }
      }),
    restamp: (saved: Values): void => {
      stamp.current = stampOf(saved)
      setDraft((now) => now && { ...now, before: only(saved, Object.keys(now.values)), stamp: stamp.current })
    },
    /** The fields that are named hold what another wrote; the others are now typed on that. */
    rebase: (taken: readonly string[], theirs: Values): Values => {
      const values = Object.fromEntries(Object.entries(edited).filter(([name]) => !taken.includes(name)))
      const was = { ...draft?.before, ...theirs }
      keep(values, was)
      setRound((last) => last + 1)
      return changesOf({ ...row, ...was }, values)
    },
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

function stampOf({ write_stamp: stamp }: Values): string | null {
  return typeof stamp === 'string' ? stamp : null
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
