/** Settings of how long something is kept, whose shortening deletes it; pure. */
const KEPT = ['audio_keep_days', 'transcript_keep_days', 'delivery_keep_days'] as const

/** Nothing is kept for fewer. */
const DAYS_MIN = 1

export interface Shorter {
  name: (typeof KEPT)[number]
  days: number
}

/** What would be kept for fewer days than before; without a number it is kept forever. */
export function shortenedBy(
  before: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Shorter[] {
  return KEPT.flatMap((name) => {
    const [was, days] = [before[name], changes[name]]
    // What the service refuses deletes nothing.
    if (
      typeof days !== 'number' ||
      !Number.isInteger(days) ||
      days < DAYS_MIN ||
      (typeof was === 'number' && was <= days)
    )
      return []
    return [{ name, days }]
  })
}
