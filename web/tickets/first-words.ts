/** What a caller said first, and when; pure. */
import { readInstant } from '../words/formats.ts'

const MS_PER_SECOND = 1_000

interface Spoken {
  turns: unknown
  conversation_started_at: string | null
}

/** The first turn of the caller, with the second of the call at which it begins; undefined where nobody said anything. */
export function firstWords(
  { turns, conversation_started_at: began }: Spoken,
  callBegan: string | null,
): { text: string; second: number } | undefined {
  const all: unknown[] = Array.isArray(turns) ? turns : []
  for (const turn of all) {
    const said = ofCaller(turn)
    if (said === undefined) continue
    const before =
      began === null || callBegan === null ? 0 : readInstant(began).getTime() - readInstant(callBegan).getTime()
    const ms = Math.max(0, before) + said.atMs
    return { text: said.text, second: Math.round(ms / MS_PER_SECOND) }
  }
  return undefined
}

function ofCaller(turn: unknown): { text: string; atMs: number } | undefined {
  if (typeof turn !== 'object' || turn === null) return undefined
  const { role, text, at_ms: at } = turn as { role?: unknown; text?: unknown; at_ms?: unknown }
  if (role !== 'user' || typeof text !== 'string' || text.trim() === '') return undefined
  return { text: text.trim(), atMs: typeof at === 'number' ? at : 0 }
}
