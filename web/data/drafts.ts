/**
 * What somebody has typed and not sent or saved yet. A draft belongs to a person and to the field of a record: whatever the
 * page shows next, it comes back only there. It outlives the page for a day, except for what is secret, and files.
 */
import { useCallback, useSyncExternalStore } from 'react'
import { onSignedOut } from './client.ts'
import { useMe } from './session.ts'

const DAY_MS = 86_400_000
const PREFIX = 'connect.draft.'
/** Characters of one draft: a browser stores some five million of a site. */
const CHARS_MAX = 200_000

/** Where something is typed. */
export interface Place {
  model: string
  /** Of the record, or what names it. */
  id: number | string
  field: string
}

interface Options<Value> {
  /** The draft without its secrets, which are never stored and go when the session ends; undefined when nothing is left. */
  withoutSecrets?: (value: Value) => Value | undefined
  /** Cannot be stored, as files cannot. */
  isInMemory?: boolean
}

type Change<Value> = Value | undefined | ((before: Value | undefined) => Value | undefined)

interface Held {
  value: unknown
  /** What may be stored of it. */
  storable: (value: unknown) => unknown
  isInMemory: boolean
  /** Typed in this tab, and not taken from what another one has stored. */
  isOwn: boolean
}

/** Drafts that this page has shown, also those that there are none of. */
const held = new Map<string, Held>()
/** Where drafts are shown, by their keys. */
const shown = new Map<string, Set<() => void>>()

function tell(): void {
  for (const listeners of shown.values()) for (const listener of listeners) listener()
}

function subscribe(key: string, listener: () => void): () => void {
  const listeners = shown.get(key) ?? new Set()
  shown.set(key, listeners.add(listener))
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && shown.get(key) === listeners) shown.delete(key)
  }
}

/** The draft of the person who is signed in at the place, and how it changes, which gives what it is then; undefined is none. */
export function useDraft<Value>(
  place: Place,
  { withoutSecrets, isInMemory = false }: Options<Value> = {},
): [draft: Value | undefined, change: (next: Change<Value>) => Value | undefined] {
  const key = keyOf(useMe().id, place)
  const storable = (value: unknown) => (withoutSecrets === undefined ? value : withoutSecrets(value as Value))
  const subscribed = useCallback((listener: () => void) => subscribe(key, listener), [key])
  const draft = useSyncExternalStore(subscribed, () => read(key)) as Value | undefined
  const change = (next: Change<Value>): Value | undefined => {
    const before = read(key) as Value | undefined
    const value = typeof next === 'function' ? (next as (before: Value | undefined) => Value | undefined)(before) : next
    put(key, { value, storable, isInMemory, isOwn: true })
    return value
  }
  return [draft, change]
}

/** Puts what was typed in one form into that of another record, which is shown next. */
export function usePutDraft<Value>(
  withoutSecrets: (value: Value) => Value | undefined,
): (place: Place, value: Value) => void {
  const user = useMe().id
  const storable = (value: unknown) => withoutSecrets(value as Value)
  return (place, value) => put(keyOf(user, place), { value, storable, isInMemory: false, isOwn: true })
}

function put(key: string, draft: Held): void {
  const { value, storable, isInMemory } = draft
  const before = held.get(key)?.value
  held.set(key, draft)
  if (value !== undefined) {
    if (!isInMemory) store(key, storable(value))
  } else if (before !== undefined && isSame(readStored(key), storable(before))) {
    // What another tab has typed meanwhile stays there.
    store(key, undefined)
  }
  tell()
}

/**
 * The change of a draft that was sent or saved: it goes, unless it was changed while it was under way. Then what is typed
 * now stays.
 */
export function unlessChanged<Value>(sent: Value): (now: Value | undefined) => Value | undefined {
  return (now) => (isSame(now, sent) ? undefined : now)
}

/** The same for a form: the fields that still hold what was sent go, and the others stay. */
export function fieldsChangedSince<Values extends Record<string, unknown>>(
  sent: Values,
): (now: Values | undefined) => Values | undefined {
  return (now = {} as Values) => {
    const others = Object.entries(now).filter(([name, value]) => !(name in sent && isSame(value, sent[name])))
    return others.length === 0 ? undefined : (Object.fromEntries(others) as Values)
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

function keyOf(user: number, { model, id, field }: Place): string {
  return `${PREFIX}${user}.${JSON.stringify([model, id, field])}`
}

function read(key: string): unknown {
  const known = held.get(key)
  if (known !== undefined) return known.value
  const value = readStored(key)
  held.set(key, { value, storable: (same) => same, isInMemory: false, isOwn: false })
  return value
}

function readStored(key: string): unknown {
  return valueIn(localStorage.getItem(key))
}

/** Nothing where there is none, or an old one. */
function valueIn(text: string | null): unknown {
  try {
    const stored = JSON.parse(text ?? 'null') as { at: number; value: unknown } | null
    return stored === null || Date.now() - stored.at > DAY_MS ? undefined : stored.value
  } catch {
    return undefined
  }
}

/** What is too long to store is only on the page. */
function store(key: string, value: unknown): void {
  const text = value === undefined ? '' : JSON.stringify({ at: Date.now(), value })
  try {
    if (text === '' || text.length > CHARS_MAX) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    localStorage.removeItem(key)
  }
}

/** From now on drafts are those of this person: what others typed here goes, and so does what is older than a day. */
export function startDrafts(user: number): void {
  for (const key of Object.keys(localStorage)) {
    const isOthers = key.startsWith(PREFIX) && !key.startsWith(`${PREFIX}${user}.[`)
    if (isOthers || (key.startsWith(PREFIX) && readStored(key) === undefined)) localStorage.removeItem(key)
  }
  // Until there was one place for all drafts, those of messages lay here, no matter who had typed them.
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  onSignedOut(() => {
    for (const [key, draft] of held) {
      if (draft.value !== undefined) held.set(key, { ...draft, value: draft.storable(draft.value) })
    }
    tell()
  })
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== null) followOther(key, { was: valueIn(oldValue), is: valueIn(newValue) })
  })
}

/**
 * Another tab has typed, sent or saved it. What was typed in this one stays, and so does a place without a draft that is shown:
 * nothing changes under the hand. Only what was taken from there goes on with it.
 */
function followOther(key: string, { was, is }: { was: unknown; is: unknown }): void {
  const draft = held.get(key)
  if (draft === undefined || draft.isInMemory) return
  if (draft.isOwn && draft.value !== undefined) {
    const stored = draft.storable(draft.value)
    // The other tab is done with its own, and this one's is not lost with it; the same text was sent there.
    if (is === undefined && !isSame(stored, was)) store(key, stored)
    if (is !== undefined || !isSame(stored, was)) return
  } else if (draft.value === undefined && is !== undefined && shown.has(key)) return
  held.delete(key)
  tell()
}
