/** The hours of today so far, those without calls among them; pure. */
import { clock, type Reader, readInstant, wireInstant } from '../words/formats.ts'

const HOUR_MS = 3_600_000

interface Part {
  at: string
  total: number
  missed: number
  given_up: number
  failed: number
  not_taken_over: number
}
interface Hour {
  at: string
  label: string
  total: number
  /** Missed, given up, failed, or put through to nobody. */
  missed: number
}

/** By the hours of the reader's clock: one that comes twice when clocks are set back is there twice. */
export function hoursOf(parts: readonly Part[], from: string, now: Date, reader: Reader): Hour[] {
  const byStart = new Map(parts.map((part) => [part.at, part]))
  const hours: Hour[] = []
  for (let at = readInstant(from).getTime(); at <= now.getTime(); at += HOUR_MS) {
    const start = wireInstant(new Date(at))
    const part = byStart.get(start)
    const label = clock(new Date(at), reader)
    const missed = part === undefined ? 0 : part.missed + part.given_up + part.failed + part.not_taken_over
    hours.push({ at: start, label, total: part?.total ?? 0, missed })
  }
  return hours
}
