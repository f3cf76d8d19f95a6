/** What an agent said before, read from the audit; pure. */
import type { Link } from '../data/models.gen.ts'
import { changesOf } from '../records/audit-changes.ts'

/** An entry of the audit about an agent. */
interface Entry {
  at: string | null
  user: Link | null
  changes: unknown
}

/** A text that was said until somebody changed it. */
export interface FormerText {
  text: string
  by: Link | null
  until: string | null
}

/** The text of a field, or that in one language of a field that holds one for each. */
interface TextOf {
  field: string
  language: string | undefined
  /** What is said now, which is no former text. */
  now: string
}

/** Each text once, the last one first; `entries` are newest first. */
export function formerTexts(entries: readonly Entry[], { field, language, now }: TextOf): FormerText[] {
  const seen = new Set(['', now])
  return entries.flatMap(({ at, user, changes }) => {
    const [before] = changesOf(changes).find((change) => change.field === field)?.values ?? []
    const text = language === undefined ? before : inLanguage(before, language)
    if (typeof text !== 'string' || seen.has(text)) return []
    seen.add(text)
    return [{ text, by: user, until: at }]
  })
}

/** The audit holds texts by language as one text. */
function inLanguage(texts: unknown, language: string): unknown {
  if (typeof texts !== 'string') return undefined
  const read = JSON.parse(texts) as Readonly<Record<string, unknown>> | null
  return read?.[language]
}
