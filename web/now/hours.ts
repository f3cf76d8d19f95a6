/** The hours of today so far, those without calls among them; pure. */
import { clock, type Reader, readInstant, wireInstant } from '../words/formats.ts'

const HOUR_MS = 3_600_000

interface Part {
  at: string
  total: number
  unanswered: number
}
interface Hour {
  at: string
  label: string
  total: number
  /** Calls of callers who talked with nobody. */
  unanswered: number
}

/** By the hours of the reader's clock: one that comes twice when clocks are set back is there twice. */
export function hoursOf(parts: readonly Part[], from: string, now: Date, reader: Reader): Hour[] {
  const byStart = new Map(parts.map((part) => [part.at, part]))
  const hours: Hour[] = []
  for (let at = readInstant(from).getTime(); at <= now.getTime(); at += HOUR_MS) {
    const start = wireInstant(new Date(at))
    const part = byStart.get(start)
    const label = clock(new Date(at), reader)
    hours.push({ at: start, label, total: part?.total ?? 0, unanswered: part?.unanswered ?? 0 })
  }
  return hours
}
