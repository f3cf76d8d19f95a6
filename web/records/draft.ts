/** What somebody has typed and not saved, kept in this browser for a day. */
import type { Values } from './record-values.ts'

const DAY_MS = 86_400_000
const PREFIX = 'connect.draft.'
/** Characters of one draft: a browser keeps some five million of a site. */
const CHARS_MAX = 200_000

interface Draft {
  at: number
  values: Values
  /** The version of the record that it was typed on. */
  stamp: string | null
}

export function draftKey(user: number, model: string, id: number | undefined): string {
  return `${PREFIX}${user}.${model}.${id ?? 'new'}`
}

/** The draft of a record; nothing where there is none, or an old one. */
export function readDraft(key: string, now: number): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null
    if (draft === null || typeof draft.values !== 'object' || now - draft.at > DAY_MS) return undefined
    return draft
  } catch {
    return undefined
  }
}

/** Keeps what is typed; what is too long to keep is only on the page. */
export function keepDraft(key: string, draft: Draft): void {
  const text = JSON.stringify(draft)
  if (Object.keys(draft.values).length === 0) localStorage.removeItem(key)
  else if (text.length <= CHARS_MAX) localStorage.setItem(key, text)
}

export function dropDraft(key: string): void {
  localStorage.removeItem(key)
}

/** Removes drafts that are older than a day, whoever's they were. */
export function dropOldDrafts(now: number): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && readDraft(key, now) === undefined) localStorage.removeItem(key)
  }
}
