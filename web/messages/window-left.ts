/** How long somebody may still be written to freely on WhatsApp; pure. */
import { readInstant } from '../words/formats.ts'

const MS_PER_MINUTE = 60_000
const MINUTES_PER_HOUR = 60

/** Hours and minutes; undefined when the window is closed. */
export function windowLeft(until: string | null, now: Date): { hours: number; minutes: number } | undefined {
  const ms = until === null ? 0 : readInstant(until).getTime() - now.getTime()
  if (ms <= 0) return undefined
  const minutes = Math.floor(ms / MS_PER_MINUTE)
  return { hours: Math.floor(minutes / MINUTES_PER_HOUR), minutes: minutes % MINUTES_PER_HOUR }
}
