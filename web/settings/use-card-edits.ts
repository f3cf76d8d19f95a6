import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callByName } from '../data/client.ts'
import { fieldsChangedSince, useDraft } from '../data/drafts.ts'
import { ApiError, sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import type { FieldInfo } from '../data/queries.ts'
import { tellDone } from '../design/notices.tsx'
import { useProblem } from '../design/use-problem.ts'
import { type Conflict, conflictOf } from '../records/conflict.tsx'
import { changesOf, only, type Values, withoutSecrets } from '../records/record-values.ts'
import { useTakeBack } from '../records/take-back.ts'
import { useTellDiscarded } from '../records/tell-discarded.ts'
import { useWords } from '../words/words.ts'
import type { Card } from './settings-cards.ts'
import { SETTINGS, type SettingsRow } from './settings-row.ts'

const NUMBERS = 'connect.telco.number'

interface CardOf {
  row: SettingsRow
  card: Card
  fields: Record<string, FieldInfo>
  /** Called when something was saved. */
  onSaved: (() => void) | undefined
}

/** What is typed, what each setting was when it was begun to be changed, and the version of that time. */
interface Draft {
  values: Values
  before: Values
  stamp: unknown
}

function storable({ values, before, stamp }: Draft): Draft | undefined {
  const stored = withoutSecrets(values)
  return stored && { values: stored, before: withoutSecrets(before) ?? {}, stamp }
}

/** What was discarded is typed again; what was typed since stays. */
function withDiscarded({ values, before, stamp }: Draft, now: Draft | undefined): Draft {
  return { values: { ...values, ...now?.values }, before: { ...now?.before, ...before }, stamp }
}

/** What is typed and not saved yet; an empty secret is none. */
export function useCardEdits({ row, card: { title, fields: names, proposes }, fields, onSaved }: CardOf) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const takeBack = useTakeBack()
  const tellDiscarded = useTellDiscarded()
  const place = { model: SETTINGS, id: row.id, field: `${title} card` }
  const [draft, setDraft] = useDraft<Draft>(place, { withoutSecrets: storable })
  const [problems, setProblems] = useProblem<Record<string, string>>({})
  const [conflict, setConflict] = useState<Conflict>()
  const typed = draft?.values ?? {}
  const edited = { ...proposes?.(row, typed, fields), ...typed }
  const before = { ...row, ...draft?.before }
  const given = Object.entries(edited).filter(([name, value]) => !(name.startsWith('display_') && !value))
  const changes = changesOf(before, Object.fromEntries(given))
  const stamp = useRef(draft?.stamp ?? row.write_stamp)
  // What was typed before stands on the version it was typed on; otherwise the newest one that is shown.
  if (Object.keys(changes).length === 0) stamp.current = row.write_stamp
  const discard = () => {
    setDraft(undefined)
    discardProblems()
    if (draft !== undefined) tellDiscarded(() => setDraft((now) => withDiscarded(draft, now)))
  }
  const save = async (vals: Values, since: unknown, was: Values): Promise<void> => {
    try {
      await callByName(SETTINGS, 'write', { ids: [row.id], vals, context: { unchanged_since: since } })
      const back = takeBack({ model: SETTINGS, id: row.id, before: was, sent: vals })
      discardProblems()
      // What was typed stays until it is read again: nobody sees what was before in its place.
      await queries.invalidateQueries({ queryKey: keysOf(SETTINGS) })
      // New numbers begin with another language.
      if ('speech_language' in vals) await queries.invalidateQueries({ queryKey: keysOf(NUMBERS) })
      setDraft((now) => {
        const values = fieldsChangedSince(edited)(now?.values)
        // What was typed while it was saved is a change of what was saved, also where that puts back what was there.
        return values && { values, before: only({ ...now?.before, ...vals }, Object.keys(values)), stamp: undefined }
      })
      tellDone(say('saved', { name: say(title) }), await back)
      onSaved?.()
    } catch (error) {
      const met = await conflictOf(error, { model: SETTINGS, id: row.id, fields, before: was, mine: vals })
      // Others changed other settings: these can be saved.
      if (met?.changes.length === 0) return save(vals, met.stamp, was)
      setConflict(met)
      if (met === undefined) setProblems(problemsOf(error, names))
    }
  }
  const discardProblems = () => {
    setProblems({})
    setConflict(undefined)
  }
  const resolve = async (taken: readonly string[]): Promise<void> => {
    if (conflict === undefined) return
    const theirs = Object.fromEntries(conflict.changes.map(({ name, value }) => [name, value]))
    const values = Object.fromEntries(Object.entries(edited).filter(([name]) => !taken.includes(name)))
    const left = Object.fromEntries(Object.entries(changes).filter(([name]) => !taken.includes(name)))
    setDraft({ values, before: { ...draft?.before, ...theirs }, stamp: conflict.stamp })
    stamp.current = conflict.stamp
    setConflict(undefined)
    if (Object.keys(left).length > 0) await save(left, conflict.stamp, { ...before, ...theirs })
    else await queries.invalidateQueries({ queryKey: keysOf(SETTINGS) })
  }
  const set = (name: string, value: unknown) =>
    setDraft((now) => ({
      values: { ...now?.values, [name]: value },
      before: { [name]: row[name] ?? null, ...now?.before },
      stamp: now?.stamp ?? stamp.current,
    }))
  return {
    ...{ edited, problems, changes, conflict, set, discard, resolve },
    isTyped: Object.keys(typed).length > 0 && Object.keys(changes).length > 0,
    submit: async (): Promise<void> => {
      if (Object.keys(changes).length > 0) await save(changes, stamp.current ?? null, before)
    },
  }
}

/** A refusal by the field that it names; of a secret, by the field that it is entered in. */
function problemsOf(error: unknown, names: readonly string[]): Record<string, string> {
  const given = error instanceof ApiError ? error.problems : []
  const named = given.flatMap(({ field, message }) => {
    const name = names.find((each) => each === field || each === `display_${field}`)
    return name === undefined ? [] : [[name, message] as const]
  })
  return { ...Object.fromEntries(named), '': named.length === 0 ? sentenceOf(error) : '' }
}
