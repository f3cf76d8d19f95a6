/** Settings of how long something is kept, whose shortening deletes it; pure. */
const KEPT = ['audio_keep_days', 'transcript_keep_days', 'delivery_keep_days'] as const

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
    if (typeof days !== 'number' || (typeof was === 'number' && was <= days)) return []
    return [{ name, days }]
  })
}
