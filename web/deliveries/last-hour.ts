/** The last hour in parts of five minutes, those without deliveries among them; pure. */
import type { Methods } from '../data/models.gen.ts'
import { readInstant } from '../words/formats.ts'
import type { Verdict } from './deliveries-search.ts'

export type DeliveryStats = Methods['connect.delivery']['stats']['result']

const PART_MS = 300_000
export const HOUR_MS = 3_600_000

/** How many had the verdict, part by part, oldest first. */
export function partsOf({ parts }: Pick<DeliveryStats, 'parts'>, verdict: Verdict, from: Date): number[] {
  const counts = Array.from({ length: HOUR_MS / PART_MS }, () => 0)
  for (const part of parts) {
    const place = Math.floor((readInstant(part.at).getTime() - from.getTime()) / PART_MS)
    // The first minute may have begun before the hour.
    const at = Math.min(Math.max(place, 0), counts.length - 1)
    counts[at] = (counts[at] ?? 0) + part[verdict]
  }
  return counts
}
