const MS_PER_SECOND = 1_000

/** A Retry-After header, in seconds or as a date, as milliseconds from now; undefined when it says neither. */
export function readRetryAfter(header: string | null | undefined, now: Date): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * MS_PER_SECOND : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
