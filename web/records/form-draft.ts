import { useRef, useState } from 'react'
import { fieldsChangedSince, useDraft } from '../data/drafts.ts'
import type { FieldInfo } from '../data/queries.ts'
import { sentOf } from './parts.ts'
import { changesOf, only, type Values, withoutSecrets } from './record-values.ts'

/** The record that is edited, as it is stored; without an id where it is to be made. */
interface Edited {
  model: string
  id: number | undefined
  row: Values
}

/** What is typed, what each field held when it was begun to be changed, and the version of the record at that time. */
export interface Draft {
  values: Values
  before: Values
  stamp: string | null
}

export function storable({ values, before, stamp }: Draft): Draft | undefined {
  const stored = withoutSecrets(values)
  return stored && { values: stored, before: withoutSecrets(before) ?? {}, stamp }
}

/** What is typed into the form of a record and not saved, as it would be sent; undefined when that is nothing. */
export function useUnsaved({
  model,
  id,
  fields,
  row,
}: Edited & { fields: Record<string, FieldInfo> }): Values | undefined {
  const [draft] = useDraft<Draft>({ model, id: id ?? 'new', field: 'form' }, { withoutSecrets: storable })
  if (draft === undefined) return undefined
  const before = { ...row, ...draft.before }
  const { vals } = sentOf(fields, before, changesOf(before, draft.values))
  return Object.keys(vals).length === 0 ? undefined : vals
}

/** What is typed, and what it is typed on. */
export function useEdits({ model, id, row }: Edited) {
  const [draft, setDraft] = useDraft<Draft>({ model, id: id ?? 'new', field: 'form' }, { withoutSecrets: storable })
  const [hasDraft, setHasDraft] = useState(draft !== undefined)
  const [round, setRound] = useState(0)
  const edited = draft?.values ?? {}
  const before = { ...row, ...draft?.before }
  const changes = changesOf(before, edited)
  const stamp = useRef(draft?.stamp ?? stampOf(row))
  const sending = useRef<Values>({})
  // What was typed before stands on the version it was typed on; otherwise the newest one that is shown.
  if (Object.keys(changes).length === 0) stamp.current = stampOf(row)
  const keep = (values: Values, was: Values): void => {
    const left = only(values, Object.keys(changesOf({ ...row, ...was }, values)))
    const names = Object.keys(left)
    setDraft(names.length === 0 ? undefined : { values: left, before: only(was, names), stamp: stamp.current })
  }
  return {
    ...{ draft, edited, before, changes, stamp, sending, round },
    hasDraft: hasDraft && draft !== undefined,
    change: (name: string, value: unknown): void => {
      setDraft((now) => {
        const was = { [name]: row[name] ?? null, ...now?.before }
        const values = { ...now?.values, [name]: value }
        const changed = changesOf({ ...row, ...was }, values)
        // What was there before is a change of what is just being saved.
        const names = Object.keys(values).filter((each) => each in changed || each in sending.current)
        if (names.length === 0) return undefined
        return { values: only(values, names), before: only(was, names), stamp: stamp.current }
      })
    },
    clear: (): void => {
      setDraft(undefined)
      setHasDraft(false)
      setRound((last) => last + 1)
    },
    /** What was discarded is typed again, on what it was typed on; what was typed since stays. */
    putBack: (discarded: Draft): void => {
      stamp.current = discarded.stamp
      setDraft((now) => ({
        values: { ...discarded.values, ...now?.values },
        before: { ...now?.before, ...discarded.before },
        stamp: discarded.stamp,
      }))
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

function stampOf({ write_stamp: stamp }: Values): string | null {
  return typeof stamp === 'string' ? stamp : null
}
